App.register("analysis", { event() {} });
