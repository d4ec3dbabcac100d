import { type PointerEvent, useRef, useState } from 'react'
import { isInside, isLine, longer, type Spot } from './lassoLine.ts'
import type { MapPin } from './mapPins.ts'

type Props = {
  pins: readonly MapPin[]
  /** Where a place stands on the map's picture. */
  spotOf: (pin: MapPin) => Spot
  onLasso: (ids: string[]) => void
}

/** Lies over the map while places are drawn around, by mouse, pen or finger; the list beside it does the same for the keyboard. */
export const MapLasso = ({ pins, spotOf, onLasso }: Props) => {
  const [line, setLine] = useState<readonly Spot[]>([])
  const drawing = useRef<readonly Spot[] | null>(null)
  const spot = (event: PointerEvent<SVGSVGElement>): Spot => {
    const box = event.currentTarget.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const end = () => {
    const drawn = drawing.current
    drawing.current = null
    setLine([])
    if (drawn && isLine(drawn)) onLasso(pins.filter((pin) => isInside(spotOf(pin), drawn)).map(({ id }) => id))
  }
  return (
    <svg
      className="ui-map__lasso"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        drawing.current = [spot(event)]
        setLine(drawing.current)
      }}
      onPointerMove={(event) => {
        if (!drawing.current) return
        drawing.current = longer(drawing.current, spot(event))
        setLine(drawing.current)
      }}
      onPointerUp={end}
      onPointerCancel={() => {
        drawing.current = null
        setLine([])
      }}
    >
      <title>Draw around places</title>
      {line.length > 1 ? <polygon points={line.map((one) => one.join(',')).join(' ')} /> : null}
    </svg>
  )
}
