App.register("tridim", { event() {} });
