/** Short sounds made with WebAudio: no files. They can be switched off; the choice is remembered. */
import { load, store } from "./storage.js";

let on = load("sound") !== false;

/**
 * A knock, as of wood: noise through a filter.
 * @param {AudioContext} audio
 * @param {number} start in seconds
 * @param {number} frequency
 * @param {number} volume
 */
function knock(audio, start, frequency, volume) {
  const length = Math.round(audio.sampleRate * 0.05);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 6;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 1.4 });
  const gain = new GainNode(audio, { gain: volume });
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + start);
}

/**
 * @param {AudioContext} audio
 * @param {number} start
 * @param {number} frequency
 * @param {number} duration in seconds
 * @param {number} volume
 */
function tone(audio, start, frequency, duration, volume) {
  const from = audio.currentTime + start;
  const source = new OscillatorNode(audio, { type: "sine", frequency });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(volume, from + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + duration);
  source.connect(gain).connect(audio.destination);
  source.start(from);
  source.stop(from + duration);
}

/** @satisfies {Record<string, (audio: AudioContext) => void>} */
const SOUNDS = {
  move: (audio) => knock(audio, 0, 950, 1.6),
  capture: (audio) => {
    knock(audio, 0, 1500, 1.5);
    knock(audio, 0.045, 700, 1.9);
  },
  check: (audio) => {
    knock(audio, 0, 950, 1.6);
    tone(audio, 0.02, 740, 0.22, 0.16);
  },
  end: (audio) => [392, 494, 587].forEach((frequency, index) => tone(audio, 0.12 * index, frequency, 0.6, 0.13)),
};

/** @type {AudioContext | undefined} */
let context;

/** @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  // Browsers block sound until the first click or key press.
  if (!on || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ||= new AudioContext();
    if (context.state === "suspended") context.resume();
    SOUNDS[name](context);
  } catch { /* The page works without sound. */ }
}

export const isSoundOn = () => on;

/** @param {boolean} wanted */
export function setSound(wanted) {
  on = wanted;
  store("sound", on);
  if (on) playSound("move");
}

/** The sound of a move. @param {string} san */
export const playSoundOf = (san) => playSound(/[+#]$/.test(san) ? "check" : san.includes("x") ? "capture" : "move");
