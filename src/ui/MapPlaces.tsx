import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { MapPin } from './mapPins.ts'
import type { MapViewProps } from './mapProps.ts'

const step = 0.0005
const moves: Record<string, [lat: number, lon: number]> = {
  ArrowUp: [step, 0],
  ArrowDown: [-step, 0],
  ArrowLeft: [0, -step],
  ArrowRight: [0, step],
}
const mostListed = 400

const nextAt = (key: string, at: number, count: number): number | null => {
  if (key === 'ArrowDown' || key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'ArrowUp' || key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

type Props = Pick<MapViewProps, 'pins' | 'onPinClick' | 'onPinDrag' | 'draggableIds'> & {
  name: string
  /** Also without focus: where no map can be drawn. */
  shown: boolean
  onKeyed: (id: string | null) => void
}

/** The pins as one stop of the Tab key: arrows, Home and End walk through them, Shift and an arrow move one that can be moved. */
export const MapPlaces = ({ pins, onPinClick, onPinDrag, draggableIds, name, shown, onKeyed }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  if (pins.length === 0 || pins.length > mostListed) return null
  const isMovable = (pin: MapPin) => onPinDrag !== undefined && (draggableIds?.includes(pin.id) ?? true)
  const start = pins.find((pin) => pin.id === currentId) ?? pins.find((pin) => pin.selected) ?? pins[0]
  const focus = (event: FocusEvent, id: string) => {
    // a press focuses the button too, but moves nothing: the eye is on the list
    if (event.target instanceof HTMLElement && event.target.matches(':focus-visible')) onKeyed(id)
    setCurrentId(id)
  }
  const press = (event: KeyboardEvent, pin: MapPin, at: number) => {
    const move = moves[event.key]
    if (event.shiftKey && move && isMovable(pin)) {
      event.preventDefault()
      onPinDrag?.(pin.id, { lat: pin.lat + move[0], lon: pin.lon + move[1] })
      return
    }
    const to = nextAt(event.key, at, pins.length)
    if (to === null) return
    event.preventDefault()
    list.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <ul ref={list} className={`ui-map__list${shown ? ' is-shown' : ''}`} aria-label={name}>
      {pins.map((pin, at) => (
        <li key={pin.id}>
          <button
            type="button"
            tabIndex={pin === start ? 0 : -1}
            aria-pressed={pin.selected ?? false}
            aria-keyshortcuts={
              isMovable(pin) ? 'Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight' : undefined
            }
            onFocus={(event) => focus(event, pin.id)}
            onBlur={() => onKeyed(null)}
            onClick={() => onPinClick?.(pin.id)}
            onKeyDown={(event) => press(event, pin, at)}
          >
            {pin.label === undefined ? '' : `${pin.label}. `}
            {pin.name}
          </button>
        </li>
      ))}
    </ul>
  )
}
