//! The file format: written as documented, read back, and everything else refused in words.
use crate::networks::{Choices, Numbers, random, shape};
use search::nnue::{MAX_FILE_SIZE, Network, NetworkError, Shape, ShapeError};

/// Where things stand in a file.
const VERSION_AT: usize = 8;
const HIDDEN_AT: usize = 12;
const KINGS_AT: usize = 16;
const OUTPUTS_AT: usize = 20;
const SCALE_AT: usize = 24;
const MAP_AT: usize = 26;
const DESCRIPTION_AT: usize = 90;

fn small() -> Network {
    random(shape(64, 1, 2), Numbers::Usual, 1)
}

/// The error, whose text is a whole sentence on one line.
fn refused(bytes: &[u8]) -> NetworkError {
    let error = Network::read(bytes).expect_err("no network");
    let text = error.to_string();
    assert!(text.contains("network") && !text.contains('\n'), "{text}");
    error
}

/// The file with some bytes put in place of others, and the hash made right again.
fn altered(network: &Network, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = network.to_bytes();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    rehashed(file)
}

fn rehashed(mut file: Vec<u8>) -> Vec<u8> {
    file.truncate(file.len() - 8);
    let hash = fnv1a(&file);
    file.extend(hash.to_le_bytes());
    file
}

/// As its authors describe it: http://www.isthe.com/chongo/tech/comp/fnv/.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 14_695_981_039_346_656_037_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    }
    hash
}

/// Byte for byte as the documentation has it.
#[test]
fn a_file_is_laid_out_as_documented() {
    let map = std::array::from_fn(|square| u8::from(square >= 32));
    let shape = Shape::new(64, 2, 3, map).expect("a shape");
    let feature_weights: Vec<i16> = (0..2 * 768 * 64).map(|number| number as i16).collect();
    let feature_biases: Vec<i16> = (0..64).map(|number| -number).collect();
    let output_weights: Vec<i16> = (0..3 * 2 * 64).map(|number| number % 255 - 127).collect();
    let output_biases = vec![1, -2, 3_000_000];
    let description = "drei Ausgänge";

    let mut file = b"CASTLNET".to_vec();
    for number in [1_u32, 64, 2, 3] {
        file.extend(number.to_le_bytes());
    }
    file.extend(357_u16.to_le_bytes());
    file.extend(map);
    file.extend(14_u32.to_le_bytes());
    file.extend(description.as_bytes());
    for numbers in [&feature_weights, &feature_biases, &output_weights] {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
    file.extend(
        output_biases
            .iter()
            .flat_map(|bias: &i32| bias.to_le_bytes()),
    );
    let hash = fnv1a(&file);
    file.extend(hash.to_le_bytes());

    let network = Network::from_parts(
        shape,
        357,
        description.to_owned(),
        feature_weights,
        feature_biases,
        output_weights,
        output_biases,
    )
    .expect("a network");
    assert_eq!(network.to_bytes(), file);
    assert_eq!(Network::read(&file), Ok(network));
}

#[test]
fn the_hash_is_the_published_one() {
    assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn what_is_written_is_read() {
    for (dimensions, seed) in [(64, 1, 1), (256, 1, 8), (320, 32, 5), (1024, 4, 1)]
        .into_iter()
        .zip(1..)
    {
        let (hidden, kings, outputs) = dimensions;
        let shape = shape(hidden, kings, outputs);
        let network = random(shape, Numbers::Extreme, seed);
        let bytes = network.to_bytes();
        assert!(bytes.len() <= MAX_FILE_SIZE);
        let read = Network::read(&bytes).expect("it was just written");
        assert_eq!(read, network);
        assert_eq!(read.shape(), &shape);
        assert_eq!(read.scale(), 400);
        assert_eq!(read.description(), format!("Extreme numbers from {seed}"));
    }
}

#[test]
fn the_largest_network_is_the_largest_file() {
    let shape = shape(1024, 32, 8);
    let network = Network::from_parts(
        shape,
        1,
        "x".repeat(4096),
        vec![0; shape.feature_count() * 1024],
        vec![0; 1024],
        vec![0; 8 * 2 * 1024],
        vec![0; 8],
    )
    .expect("a network");
    assert_eq!(network.to_bytes().len(), MAX_FILE_SIZE);
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let file = small().to_bytes();
    for length in 0..file.len() {
        match refused(&file[..length]) {
            NetworkError::Magic => assert!(length < 8, "{length}"),
            NetworkError::HeaderEnd { found, .. } => {
                assert_eq!(found, length);
                assert!(length < DESCRIPTION_AT + 4 + small().description().len());
            }
            NetworkError::Length {
                expected, found, ..
            } => {
                assert_eq!((expected, found), (file.len(), length));
            }
            error => panic!("{length}: {error}"),
        }
    }
}

#[test]
fn bytes_behind_the_end_are_refused() {
    let mut file = small().to_bytes();
    let length = file.len();
    for more in 1..20 {
        file.push(0);
        let error = refused(&file);
        assert!(matches!(error, NetworkError::Length { found, .. } if found == length + more));
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    /// All of the header is tried, of the rest every so many bytes.
    const STEP: usize = 61;
    let file = small().to_bytes();
    let header = DESCRIPTION_AT + 4 + small().description().len();
    let choices = &mut Choices::new(5);
    for at in (0..header).chain((header..file.len()).step_by(STEP)) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << choices.below(8);
        let error = refused(&damaged);
        if at >= header {
            assert!(matches!(error, NetworkError::Hash { .. }), "{at}: {error}");
        }
    }
}

#[test]
fn another_file_is_no_network() {
    for bytes in [
        &b""[..],
        b"CASTLNE",
        b"PNG",
        b"castlnet and more of what would follow",
    ] {
        assert_eq!(refused(bytes), NetworkError::Magic);
    }
}

#[test]
fn impossible_headers_are_refused_before_anything_is_made_for_them() {
    let small = small();
    let with = |at, number: u32| refused(&altered(&small, at, &number.to_le_bytes()));
    assert_eq!(with(VERSION_AT, 2), NetworkError::Version { found: 2 });
    assert_eq!(with(VERSION_AT, 0), NetworkError::Version { found: 0 });
    for number in [0, 1, 63, 65, 1025, 1088, u32::MAX] {
        let found = number as usize;
        assert_eq!(with(HIDDEN_AT, number), ShapeError::Hidden { found }.into());
    }
    for number in [0, 33, u32::MAX] {
        let found = number as usize;
        assert_eq!(
            with(KINGS_AT, number),
            ShapeError::KingBuckets { found }.into()
        );
    }
    for number in [0, 9, u32::MAX] {
        let found = number as usize;
        assert_eq!(
            with(OUTPUTS_AT, number),
            ShapeError::OutputBuckets { found }.into()
        );
    }
    // Possible, but not with so few bytes.
    for (at, number) in [(HIDDEN_AT, 1024), (KINGS_AT, 32), (OUTPUTS_AT, 8)] {
        assert!(matches!(with(at, number), NetworkError::Length { .. }));
    }
    for length in [4097, u32::MAX] {
        let found = length as usize;
        assert_eq!(
            with(DESCRIPTION_AT, length),
            NetworkError::DescriptionLength { found }
        );
    }
    assert_eq!(
        refused(&altered(&small, SCALE_AT, &[0, 0])),
        NetworkError::Scale
    );
}

#[test]
fn a_king_map_names_buckets_there_are_and_is_its_own_mirror() {
    let outside = refused(&altered(&small(), MAP_AT + 9, &[1]));
    assert!(outside.to_string().contains("b2"), "{outside}");
    let two = random(shape(64, 2, 1), Numbers::Usual, 1);
    let lopsided = refused(&altered(&two, MAP_AT, &[1 - shape(64, 2, 1).king_map()[0]]));
    let text = lopsided.to_string();
    assert!(text.contains("a1") && text.contains("h1"), "{text}");
}

#[test]
fn a_description_is_a_line_of_text() {
    let small = small();
    let at = DESCRIPTION_AT + 4;
    assert_eq!(
        refused(&altered(&small, at + 3, &[0xff])),
        NetworkError::DescriptionText { from: 3 }
    );
    for control in [b"\n", b"\x1b", b"\0"] {
        assert_eq!(
            refused(&altered(&small, at + 3, control)),
            NetworkError::DescriptionControl { at: 3 }
        );
    }
}

#[test]
fn output_weights_have_a_range() {
    let small = small();
    let output_at = DESCRIPTION_AT + 4 + small.description().len() + (768 + 1) * 64 * 2;
    for weight in [128_i16, -128, i16::MAX, i16::MIN] {
        assert_eq!(
            refused(&altered(&small, output_at + 10, &weight.to_le_bytes())),
            NetworkError::OutputWeight {
                index: 5,
                found: weight
            }
        );
    }
}

#[test]
fn parts_must_be_of_the_shape() {
    let shape = shape(64, 1, 2);
    let build = |features, bias, outputs, output_biases| {
        Network::from_parts(
            shape,
            400,
            String::new(),
            vec![0; features],
            vec![0; bias],
            vec![0; outputs],
            vec![0; output_biases],
        )
    };
    let right = (768 * 64, 64, 2 * 2 * 64, 2);
    assert!(build(right.0, right.1, right.2, right.3).is_ok());
    for (wrong, what) in [
        (
            build(right.0 - 1, right.1, right.2, right.3),
            "feature weights",
        ),
        (
            build(right.0, right.1 + 1, right.2, right.3),
            "feature biases",
        ),
        (
            build(right.0, right.1, right.2 + 64, right.3),
            "output weights",
        ),
        (build(right.0, right.1, right.2, 0), "output biases"),
    ] {
        let error = wrong.expect_err(what).to_string();
        assert!(error.contains(what), "{error}");
    }
}
