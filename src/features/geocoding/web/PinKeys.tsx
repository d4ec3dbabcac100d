import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'

type Place = { lat: number; lon: number }

/** A press moves the pin so many feet; with Shift ten times as many. */
const stepFeet = 30
const feetPerDegree = 364_567

const ways: Readonly<Record<string, { lat: number; lon: number; word: string }>> = {
  ArrowUp: { lat: 1, lon: 0, word: 'north' },
  ArrowDown: { lat: -1, lon: 0, word: 'south' },
  ArrowRight: { lat: 0, lon: 1, word: 'east' },
  ArrowLeft: { lat: 0, lon: -1, word: 'west' },
}

/** Moves a pin by the arrow keys; where it went is read out. */
export const PinKeys = ({ pin, onPin }: { pin: Place; onPin: (pin: Place) => void }) => {
  const hint = useId()
  const [said, setSaid] = useState('')
  const press = (event: KeyboardEvent) => {
    const way = ways[event.key]
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const feet = stepFeet * (event.shiftKey ? 10 : 1)
    const wide = Math.max(0.01, Math.cos((pin.lat * Math.PI) / 180))
    const round = (value: number) => Math.round(value * 1e6) / 1e6
    const lat = Math.max(-90, Math.min(90, round(pin.lat + (way.lat * feet) / feetPerDegree)))
    const lon = Math.max(-180, Math.min(180, round(pin.lon + (way.lon * feet) / (feetPerDegree * wide))))
    onPin({ lat, lon })
    setSaid(`${feet} feet ${way.word}: latitude ${lat.toFixed(5)}, longitude ${lon.toFixed(5)}.`)
  }
  return (
    <div className="place-keys">
      <Button size="s" onKeyDown={press} aria-describedby={hint}>
        Move by arrow keys
      </Button>
      <span className="hint" id={hint}>
        Each press {stepFeet} feet, with Shift {stepFeet * 10}.
      </span>
      <span className="hint" role="status">
        {said}
      </span>
    </div>
  )
}
