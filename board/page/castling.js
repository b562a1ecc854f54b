App.register("castling", { event() {} });
