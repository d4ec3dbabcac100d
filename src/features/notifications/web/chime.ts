let context: AudioContext | null = null

/** Browsers let a page make sound only after a gesture; this takes the first one. */
export const armChime = (): (() => void) => {
  const gestures = ['pointerup', 'keyup'] as const
  const disarm = () => {
    for (const gesture of gestures) window.removeEventListener(gesture, arm)
  }
  function arm(): void {
    // Ctrl alone is a key but no gesture to a browser.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return
    disarm()
    context ??= new AudioContext()
    void context.resume()
  }
  for (const gesture of gestures) window.addEventListener(gesture, arm, { passive: true })
  return disarm
}

/** Two short rising notes. Silent until the person has touched the page. */
export const chime = (): void => {
  if (context?.state !== 'running') return
  const start = context.currentTime
  for (const [index, hertz] of [659, 880].entries()) {
    const note = context.createOscillator()
    const volume = context.createGain()
    const at = start + index * 0.11
    note.frequency.value = hertz
    volume.gain.setValueAtTime(0, at)
    volume.gain.linearRampToValueAtTime(0.08, at + 0.015)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.22)
    note.connect(volume).connect(context.destination)
    note.start(at)
    note.stop(at + 0.24)
  }
}
