/** Short sounds made with WebAudio: no files. They can be switched off; the choice is remembered. */
const Sound = (() => {
  let audio = null;
  let on = App.load("sound") !== false;

  /** A knock, as of wood: noise through a filter. */
  function knock(start, frequency, volume) {
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

  function tone(start, frequency, duration, volume) {
    const from = audio.currentTime + start;
    const source = new OscillatorNode(audio, { type: "sine", frequency });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.linearRampToValueAtTime(volume, from + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + duration);
    source.connect(gain).connect(audio.destination);
    source.start(from);
    source.stop(from + duration);
  }

  const SOUNDS = {
    move: () => knock(0, 950, 1.6),
    capture: () => {
      knock(0, 1500, 1.5);
      knock(0.045, 700, 1.9);
    },
    check: () => {
      knock(0, 950, 1.6);
      tone(0.02, 740, 0.22, 0.16);
    },
    end: () => [392, 494, 587].forEach((frequency, index) => tone(0.12 * index, frequency, 0.6, 0.13)),
  };

  function play(name) {
    // Until the first click or key, browsers allow no sound.
    if (!on || (navigator.userActivation && !navigator.userActivation.hasBeenActive)) return;
    try {
      audio ||= new AudioContext();
      if (audio.state === "suspended") audio.resume();
      SOUNDS[name]();
    } catch { /* A page without sound is a page. */ }
  }

  function toggle() {
    on = !on;
    App.store("sound", on);
    if (on) play("move");
    return on;
  }

  return { play, toggle, isOn: () => on };
})();
