//! Writes the Rust code of the protocol. Run after a change of a .proto, in this folder:
//!
//!     cargo run -- PROTOS [OUT]      PROTOS holds arena/v1/*.proto; OUT is ../src/v1.rs if left out
//!
//! It needs no protoc: protox reads the .proto files.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["arena/v1/arena.proto", "arena/v1/crow.proto", "arena/v1/goat.proto", "arena/v1/rook.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let protos = arguments.next().ok_or("the folder of the .proto files was expected")?;
    let out = arguments.next().unwrap_or("../src/v1.rs".to_string());
    let module = prost_build::Module::from_protobuf_package_name("arena.v1");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in FILES {
        let text = fs::read(Path::new(&protos).join(file))?;
        hash = text.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    }
    let files = protox::compile(FILES, [protos])?.file;
    let requests = files.into_iter().map(|file| (module.clone(), file)).collect();
    let code =
        prost_build::Config::new().generate(requests)?.remove(&module).ok_or("the files hold no package arena.v1")?;
    let head = "// Generated from the protocol's .proto files by sdk/generate; do not edit.";
    fs::write(out, format!("{head}\n// FNV-1a of the .proto files: {hash:016x}\n{code}"))?;
    Ok(())
}
