//! The network file: written as documented, read back, and anything else rejected with a reason.
use super::networks::{Numbers, random, shape, with_attacks};
use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, Shape, ShapeError, Tensor};
use test_common::Rng;

/// Offsets in a file.
const VERSION: usize = 8;
const HIDDEN: usize = 12;
const KING_BUCKETS: usize = 16;
const OUTPUT_BUCKETS: usize = 20;
const ATTACK_NEURONS: usize = 24;
const SCALE: usize = 28;
const KING_MAP: usize = 30;
const DESCRIPTION_LENGTH: usize = 94;
const TENSORS_LENGTH: usize = 98;
const DESCRIPTION: usize = 102;

fn small() -> Network {
    random(shape(64, 1, 2), Numbers::Usual, 1)
}

/// The error, whose text is one line and says what it is about.
fn error(bytes: &[u8]) -> NetworkError {
    let error = Network::read(bytes).expect_err("not a network");
    let text = error.to_string();
    assert!(text.contains("network") && !text.contains('\n'), "{text}");
    error
}

/// The error for a network's file with some bytes replaced and the hash corrected.
fn error_with(network: &Network, at: usize, bytes: &[u8]) -> NetworkError {
    let mut file = network.to_bytes();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file.truncate(file.len() - 8);
    let hash = fnv1a(&file);
    file.extend(hash.to_le_bytes());
    error(&file)
}

/// Signed LEB128, as the DWARF standard describes it.
fn leb128(mut number: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let byte = number.rem_euclid(128);
        number = number.div_euclid(128);
        let negative = byte >= 64;
        if number == if negative { -1 } else { 0 } {
            bytes.push(byte as u8);
            return bytes;
        }
        bytes.push(byte as u8 + 128);
    }
}

/// Hashes as its authors describe it: http://www.isthe.com/chongo/tech/comp/fnv/.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 14_695_981_039_346_656_037_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    }
    hash
}

#[test]
fn the_file_is_laid_out_as_documented() {
    let map = std::array::from_fn(|square| u8::from(square >= 32));
    let shape = Shape::new(64, 2, 3, map).and_then(|shape| shape.with_attack_neurons(16));
    let shape = shape.expect("a shape");
    let number = |tensor, index: usize| match tensor {
        Tensor::FeatureWeights | Tensor::AttackWeights => i32::from(index as i8),
        Tensor::FeatureBiases | Tensor::AttackBiases | Tensor::AttackOutputs => -(index as i32),
        Tensor::OutputWeights => index as i32 % 255 - 127,
        Tensor::OutputBiases => [1, -2, 3_000_000][index],
    };
    let description = "drei Ausgänge";

    let mut file = b"CASTLNET".to_vec();
    for number in [5_u32, 64, 2, 3, 16] {
        file.extend(number.to_le_bytes());
    }
    file.extend(357_u16.to_le_bytes());
    file.extend(map);
    let mut tensors = Vec::new();
    for (tensor, buckets, bucket) in [
        (Tensor::FeatureWeights, 2, 768 * 64_usize),
        (Tensor::FeatureBiases, 1, 64),
        (Tensor::AttackWeights, 1, 144 * 16),
        (Tensor::AttackBiases, 1, 16),
        (Tensor::AttackOutputs, 3, 16),
        (Tensor::OutputWeights, 3, 2 * 64),
        (Tensor::OutputBiases, 1, 3),
    ] {
        for index in 0..buckets * bucket {
            let number = |index| i64::from(number(tensor, index));
            let before = index.checked_sub(bucket).map_or(0, number);
            tensors.extend(leb128(number(index) - before));
        }
    }
    file.extend(14_u32.to_le_bytes());
    file.extend((tensors.len() as u32).to_le_bytes());
    file.extend(description.as_bytes());
    file.extend(tensors);
    let hash = fnv1a(&file);
    file.extend(hash.to_le_bytes());

    let network = Network::from_fn(shape, 357, description, number).expect("a network");
    assert_eq!(network.to_bytes(), file);
    assert_eq!(Network::read(&file), Ok(network));
}

#[test]
fn the_hash_is_the_published_one() {
    for (text, hash) in [
        ("", 0xcbf2_9ce4_8422_2325),
        ("a", 0xaf63_dc4c_8601_ec8c),
        ("foobar", 0x8594_4171_f739_67e8),
    ] {
        assert_eq!(fnv1a(text.as_bytes()), hash, "{text}");
    }
}

/// The examples of the DWARF standard, version 5, appendix C.
#[test]
fn the_numbers_are_the_published_leb128() {
    for (number, bytes) in [
        (2, &[2][..]),
        (-2, &[0x7e]),
        (127, &[0xff, 0]),
        (-127, &[0x81, 0x7f]),
        (128, &[0x80, 1]),
        (-128, &[0x80, 0x7f]),
        (129, &[0x81, 1]),
        (-129, &[0xff, 0x7e]),
    ] {
        assert_eq!(leb128(number), bytes, "{number}");
    }
}

#[test]
fn written_networks_read_back() {
    let dimensions = [
        (64, 1, 1, 0),
        (256, 1, 8, 16),
        (320, 32, 5, 32),
        (1024, 4, 1, 0),
    ];
    for ((hidden, kings, outputs, attacks), seed) in dimensions.into_iter().zip(1..) {
        let shape = with_attacks(shape(hidden, kings, outputs), attacks);
        let network = random(shape, Numbers::Extreme, seed);
        let bytes = network.to_bytes();
        assert!(bytes.len() <= MAX_FILE_SIZE);
        let read = Network::read(&bytes).expect("a written network");
        assert_eq!(read, network);
        assert_eq!((read.shape(), read.scale()), (&shape, 400));
        assert_eq!(read.description(), format!("Extreme numbers from {seed}"));
    }
}

/// With differences between buckets that are as large as they can be.
#[test]
fn no_file_is_larger_than_the_maximum() {
    let number = |tensor, index| {
        let is_even = match tensor {
            Tensor::FeatureWeights => (index / (768 * 1024)) % 2 == 0,
            _ => index % 2 == 0,
        };
        let limit = match tensor {
            Tensor::FeatureBiases | Tensor::AttackBiases | Tensor::AttackOutputs => i16::MAX.into(),
            Tensor::OutputBiases => i32::MAX,
            _ => i8::MAX.into(),
        };
        if is_even { limit } else { -limit }
    };
    let shape = with_attacks(shape(1024, 32, 8), 32);
    let network = Network::from_fn(shape, 1, &"x".repeat(4096), number).expect("a network");
    let file = network.to_bytes();
    assert!(file.len() <= MAX_FILE_SIZE);
    assert_eq!(Network::read(&file), Ok(network));
}

#[test]
fn truncated_files_are_rejected() {
    let file = small().to_bytes();
    for length in 0..file.len() {
        match error(&file[..length]) {
            NetworkError::Magic => assert!(length < VERSION, "{length}"),
            NetworkError::HeaderEnd => assert!(length < DESCRIPTION, "{length}"),
            NetworkError::Length { expected, found } => {
                assert_eq!((expected, found), (file.len(), length));
            }
            error => panic!("{length}: {error}"),
        }
    }
}

#[test]
fn trailing_bytes_are_rejected() {
    let mut file = small().to_bytes();
    let expected = file.len();
    for more in 1..20 {
        file.push(0);
        let found = expected + more;
        assert_eq!(error(&file), NetworkError::Length { expected, found });
    }
}

#[test]
fn flipped_bits_are_detected() {
    /// Every byte of the header is tried, and one in this many of the rest.
    const STEP: usize = 61;
    let network = small();
    let file = network.to_bytes();
    let header = DESCRIPTION + network.description().len();
    let rng = &mut Rng::new(5);
    for at in (0..header).chain((header..file.len()).step_by(STEP)) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << rng.below(8);
        let error = error(&damaged);
        if at >= header {
            assert!(matches!(error, NetworkError::Hash { .. }), "{at}: {error}");
        }
    }
}

/// The fewest and the most bytes of the tensors: one a number, or those of the largest difference.
fn tensors_range((hidden, kings, outputs): (usize, usize, usize)) -> (usize, usize) {
    let weights = (kings * 768 + outputs * 2) * hidden;
    (
        weights + hidden + outputs,
        2 * weights + 3 * hidden + 5 * outputs,
    )
}

/// Before anything of the stated size is allocated.
#[test]
fn invalid_headers_are_rejected() {
    let small = small();
    let with = |at, number: u32| error_with(&small, at, &number.to_le_bytes());
    for found in [0, 4, 6] {
        assert_eq!(with(VERSION, found), NetworkError::Version { found });
    }
    let hidden: fn(usize) -> ShapeError = |found| ShapeError::Hidden { found };
    let kings: fn(usize) -> ShapeError = |found| ShapeError::KingBuckets { found };
    let outputs: fn(usize) -> ShapeError = |found| ShapeError::OutputBuckets { found };
    let attacks: fn(usize) -> ShapeError = |found| ShapeError::AttackNeurons { found };
    for (at, numbers, expected) in [
        (HIDDEN, &[0, 1, 63, 65, 1025, 1088, u32::MAX][..], hidden),
        (KING_BUCKETS, &[0, 33, u32::MAX], kings),
        (OUTPUT_BUCKETS, &[0, 9, u32::MAX], outputs),
        (ATTACK_NEURONS, &[1, 15, 17, 48, u32::MAX], attacks),
    ] {
        for &number in numbers {
            assert_eq!(with(at, number), expected(number as usize).into());
        }
    }
    // Valid, but not with so few bytes that follow.
    let found = small.to_bytes().len() - DESCRIPTION - small.description().len() - 8;
    for (at, number, shape) in [
        (HIDDEN, 1024, (1024, 1, 2)),
        (KING_BUCKETS, 32, (64, 32, 2)),
    ] {
        let range = tensors_range(shape);
        let expected = NetworkError::TensorsLength { found, range };
        assert_eq!(with(at, number), expected);
    }
    for found in [found as u32 - 1, found as u32 + 1] {
        assert!(matches!(
            with(TENSORS_LENGTH, found),
            NetworkError::Length { .. }
        ));
    }
    for found in [0, 1, u32::MAX] {
        let expected = NetworkError::TensorsLength {
            found: found as usize,
            range: tensors_range((64, 1, 2)),
        };
        assert_eq!(with(TENSORS_LENGTH, found), expected);
    }
    for length in [4097, u32::MAX] {
        let found = length as usize;
        let expected = NetworkError::DescriptionLength { found };
        assert_eq!(with(DESCRIPTION_LENGTH, length), expected);
    }
    assert_eq!(error_with(&small, SCALE, &[0, 0]), NetworkError::Scale);
}

#[test]
fn king_maps_name_existing_buckets_and_are_symmetric() {
    let outside = error_with(&small(), KING_MAP + 9, &[1]);
    assert!(outside.to_string().contains("b2"), "{outside}");
    let shape = shape(64, 2, 1);
    let asymmetric = [1 - shape.king_map()[0]];
    let error = error_with(&random(shape, Numbers::Usual, 1), KING_MAP, &asymmetric);
    let text = error.to_string();
    assert!(text.contains("a1") && text.contains("h1"), "{text}");
}

#[test]
fn descriptions_are_one_line_of_utf8() {
    let with = |byte| error_with(&small(), DESCRIPTION + 3, &[byte]);
    assert_eq!(with(0xff), NetworkError::DescriptionText { from: 3 });
    for control in *b"\n\x1b\0" {
        assert_eq!(with(control), NetworkError::DescriptionControl { at: 3 });
    }
}

/// A file whose numbers are 0, but for some bytes of the first tensor.
fn with_tensors(shape: Shape, first: &[u8], others: usize) -> Vec<u8> {
    let mut file = Network::from_fn(shape, 400, "", |_, _| 0)
        .expect("a network")
        .to_bytes();
    file.truncate(DESCRIPTION);
    file[TENSORS_LENGTH..].copy_from_slice(&((first.len() + others) as u32).to_le_bytes());
    file.extend(first);
    file.extend(vec![0; others]);
    let hash = fnv1a(&file);
    file.extend(hash.to_le_bytes());
    file
}

#[test]
fn numbers_end_where_the_header_says() {
    let shape = shape(64, 1, 1);
    let numbers = (768 + 1 + 2) * 64 + 1;
    let file = |first: &[u8], others| with_tensors(shape, first, others);
    assert!(Network::read(&file(&[0xc0, 0], numbers - 1)).is_ok());
    // One number too many, and one too few.
    let (expected, found) = (numbers, numbers + 1);
    let expected = NetworkError::TensorsEnd { expected, found };
    assert_eq!(error(&file(&[0], numbers)), expected);
    let missing = |index| NetworkError::Encoding {
        tensor: "output biases",
        index,
    };
    assert_eq!(error(&file(&[0xc0, 0], numbers - 2)), missing(0));
    // Six bytes are too many for any number, two for 0 and −1.
    for long in [
        &[0x80, 0x80, 0x80, 0x80, 0x80, 1][..],
        &[0x80, 0],
        &[0xff, 0x7f],
    ] {
        let expected = NetworkError::Encoding {
            tensor: "feature weights",
            index: 1,
        };
        assert_eq!(error(&file(&[&[0], long].concat(), numbers)), expected);
    }
}

#[test]
fn numbers_in_a_file_must_fit_their_types() {
    for (buckets, found) in [(1, 128), (1, -129), (1, i64::from(i32::MAX)), (2, 128)] {
        let shape = shape(64, buckets, 1);
        let mut first = [vec![0; 5], leb128(found)].concat();
        if buckets == 2 {
            // A valid number, and a difference from it that is too large.
            first = [
                vec![0; 5],
                leb128(found - 1),
                vec![0; 768 * 64 - 1],
                leb128(1),
            ]
            .concat();
        }
        let index = if buckets == 2 { 768 * 64 + 5 } else { 5 };
        let numbers = (buckets * 768 + 1 + 2) * 64 + 1;
        let expected = NetworkError::Number {
            tensor: "feature weights",
            index,
            found,
            range: (-128, 127),
        };
        assert_eq!(
            error(&with_tensors(shape, &first, numbers - index - 1)),
            expected
        );
    }
}

#[test]
fn numbers_must_fit_their_types() {
    let (narrow, wide) = ((-128, 127), (-32_768, 32_767));
    for (tensor, name, found, range) in [
        (Tensor::FeatureWeights, "feature weights", 128, narrow),
        (Tensor::FeatureBiases, "feature biases", -32_769, wide),
        (Tensor::AttackWeights, "attack weights", 128, narrow),
        (Tensor::AttackBiases, "attack biases", -32_769, wide),
        (Tensor::AttackOutputs, "attack output weights", 32_768, wide),
        (Tensor::OutputWeights, "output weights", -129, narrow),
    ] {
        let number = |t, index| if t == tensor && index == 5 { found } else { 0 };
        let error = Network::from_fn(with_attacks(shape(64, 1, 2), 16), 400, "", number);
        let expected = NetworkError::Number {
            tensor: name,
            index: 5,
            found: found.into(),
            range,
        };
        assert_eq!(error.expect_err("a number"), expected);
    }
}
