//! Replays the regression corpus of every fuzz target.

use std::fs;
use test_common::repository_path;

#[test]
fn every_input_of_the_corpora_passes() {
    for (name, check) in fuzz_checks::ALL {
        let directory = repository_path("fuzz/regressions").join(name);
        let files = fs::read_dir(&directory).expect(name);
        let mut count = 0;
        for file in files {
            let file = file.expect(name).path();
            eprintln!("{}", file.display());
            check(&fs::read(&file).expect(name));
            count += 1;
        }
        assert!(count >= 10, "{count} inputs for {name}");
    }
}
