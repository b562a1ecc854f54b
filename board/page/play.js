App.register("play", { event() {} });
