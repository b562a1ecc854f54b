{
  description = "A UCI chess engine with a board in the browser";
  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";
  outputs = { nixpkgs, ... }:
    let
      each = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
    in {
      packages = each (system: {
        default = nixpkgs.legacyPackages.${system}.rustPlatform.buildRustPackage {
          pname = "castellan";
          version = "1.0.0";
          src = ./..;
          cargoLock.lockFile = ../Cargo.lock;
          doCheck = false;
          buildPhase = "make pages";
          installPhase = "make -o pages install PREFIX=$out";
        };
      });
    };
}
