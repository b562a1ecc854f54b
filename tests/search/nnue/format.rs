//! The network file: written as documented, read back, and anything else rejected with a reason.
use super::networks::{Numbers, random, shape};
use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, Shape, ShapeError, Tensor};
use test_common::Rng;

/// Offsets in a file.
const VERSION: usize = 8;
const HIDDEN: usize = 12;
const KING_BUCKETS: usize = 16;
const OUTPUT_BUCKETS: usize = 20;
const SCALE: usize = 24;
const KING_MAP: usize = 26;
const DESCRIPTION_LENGTH: usize = 90;
const DESCRIPTION: usize = 94;

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

/// As its authors describe it: http://www.isthe.com/chongo/tech/comp/fnv/.
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
    let shape = Shape::new(64, 2, 3, map).expect("a shape");
    let number = |tensor, index: usize| match tensor {
        Tensor::FeatureWeights => i32::from(index as i16),
        Tensor::FeatureBiases => -(index as i32),
        Tensor::OutputWeights => index as i32 % 255 - 127,
        Tensor::OutputBiases => [1, -2, 3_000_000][index],
    };
    let description = "drei Ausgänge";

    let mut file = b"CASTLNET".to_vec();
    for number in [2_u32, 64, 2, 3] {
        file.extend(number.to_le_bytes());
    }
    file.extend(357_u16.to_le_bytes());
    file.extend(map);
    file.extend(14_u32.to_le_bytes());
    file.extend(description.as_bytes());
    for (tensor, buckets, bucket) in [
        (Tensor::FeatureWeights, 2, 768 * 64_usize),
        (Tensor::FeatureBiases, 1, 64),
        (Tensor::OutputWeights, 3, 2 * 64),
    ] {
        for index in 0..buckets * bucket {
            let number = |index| number(tensor, index) as i16;
            let before = index.checked_sub(bucket).map_or(0, number);
            file.extend(number(index).wrapping_sub(before).to_le_bytes());
        }
    }
    for index in 0..3 {
        file.extend(number(Tensor::OutputBiases, index).to_le_bytes());
    }
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

#[test]
fn written_networks_read_back() {
    let dimensions = [(64, 1, 1), (256, 1, 8), (320, 32, 5), (1024, 4, 1)];
    for ((hidden, kings, outputs), seed) in dimensions.into_iter().zip(1..) {
        let shape = shape(hidden, kings, outputs);
        let network = random(shape, Numbers::Extreme, seed);
        let bytes = network.to_bytes();
        assert!(bytes.len() <= MAX_FILE_SIZE);
        let read = Network::read(&bytes).expect("a written network");
        assert_eq!(read, network);
        assert_eq!((read.shape(), read.scale()), (&shape, 400));
        assert_eq!(read.description(), format!("Extreme numbers from {seed}"));
    }
}

#[test]
fn the_largest_network_has_the_largest_file() {
    let shape = shape(1024, 32, 8);
    let network = Network::from_fn(shape, 1, &"x".repeat(4096), |_, _| 0).expect("a network");
    assert_eq!(network.to_bytes().len(), MAX_FILE_SIZE);
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
    /// Of the header every byte is tried, of the rest one in this many.
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

#[test]
fn other_files_are_rejected() {
    for bytes in [
        &b""[..],
        b"CASTLNE",
        b"PNG",
        b"castlnet and more of what would follow",
    ] {
        assert_eq!(error(bytes), NetworkError::Magic);
    }
}

/// Before anything of the stated size is allocated.
#[test]
fn invalid_headers_are_rejected() {
    let small = small();
    let with = |at, number: u32| error_with(&small, at, &number.to_le_bytes());
    for found in [0, 1, 3] {
        assert_eq!(with(VERSION, found), NetworkError::Version { found });
    }
    let hidden: fn(usize) -> ShapeError = |found| ShapeError::Hidden { found };
    let kings: fn(usize) -> ShapeError = |found| ShapeError::KingBuckets { found };
    let outputs: fn(usize) -> ShapeError = |found| ShapeError::OutputBuckets { found };
    for (at, numbers, expected) in [
        (HIDDEN, &[0, 1, 63, 65, 1025, 1088, u32::MAX][..], hidden),
        (KING_BUCKETS, &[0, 33, u32::MAX], kings),
        (OUTPUT_BUCKETS, &[0, 9, u32::MAX], outputs),
    ] {
        for &number in numbers {
            assert_eq!(with(at, number), expected(number as usize).into());
        }
    }
    // Valid, but not with the bytes that follow.
    for (at, number) in [(HIDDEN, 1024), (KING_BUCKETS, 32), (OUTPUT_BUCKETS, 8)] {
        assert!(matches!(with(at, number), NetworkError::Length { .. }));
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

#[test]
fn output_weights_are_limited() {
    let small = small();
    let output_weights = DESCRIPTION + small.description().len() + (768 + 1) * 64 * 2;
    for found in [128_i16, -128, i16::MAX, i16::MIN] {
        let error = error_with(&small, output_weights + 10, &found.to_le_bytes());
        assert_number_error(&error, "output weights", found.into(), (-127, 127));
    }
}

fn assert_number_error(error: &NetworkError, tensor: &'static str, found: i32, range: (i32, i32)) {
    let expected = NetworkError::Number {
        tensor,
        index: 5,
        found,
        range,
    };
    assert_eq!(*error, expected);
}

#[test]
fn numbers_must_fit_their_types() {
    let feature = (i16::MIN.into(), i16::MAX.into());
    for (tensor, name, found, range) in [
        (Tensor::FeatureWeights, "feature weights", 32_768, feature),
        (Tensor::FeatureBiases, "feature biases", -32_769, feature),
        (Tensor::OutputWeights, "output weights", 128, (-127, 127)),
    ] {
        let number = |t, index| if t == tensor && index == 5 { found } else { 0 };
        let error = Network::from_fn(shape(64, 1, 2), 400, "", number);
        assert_number_error(&error.expect_err("a number"), name, found, range);
    }
}
