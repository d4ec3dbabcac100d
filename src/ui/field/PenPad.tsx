import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { pointIn, type Stroke, type StrokeColor, withPoint } from '#src/shared/strokes.ts'
import './penPad.css'

/**
 * Something to draw on with a finger, a pen or the mouse: what is drawn stands over what is inside. One finger draws; the page does not scroll
 * under it.
 */
export const PenPad = ({
  label,
  color,
  strokes,
  onStroke,
  className = '',
  children,
}: {
  className?: string
  label: string
  color: StrokeColor
  /** Drawn by the caller, with the line that is under the finger. */
  children: (strokes: readonly Stroke[]) => ReactNode
  strokes: readonly Stroke[]
  onStroke: (stroke: Stroke) => void
}) => {
  const place = useRef<HTMLDivElement>(null)
  // Beside the state, so that two moves between two drawings are both of the line.
  const drawing = useRef<{ pointer: number; stroke: Stroke } | null>(null)
  const [current, setCurrent] = useState<Stroke | null>(null)
  const pointOf = ({ clientX, clientY }: PointerEvent) =>
    pointIn(
      { x: clientX, y: clientY },
      place.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1, height: 1 },
    )
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (drawing.current || event.button > 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const stroke = { id: crypto.randomUUID(), color, points: pointOf(event) }
    drawing.current = { pointer: event.pointerId, stroke }
    setCurrent(stroke)
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const now = drawing.current
    if (now?.pointer !== event.pointerId) return
    now.stroke = { ...now.stroke, points: withPoint(now.stroke.points, pointOf(event)) }
    setCurrent(now.stroke)
  }
  const end = (event: PointerEvent<HTMLDivElement>) => {
    const now = drawing.current
    if (now?.pointer !== event.pointerId) return
    drawing.current = null
    setCurrent(null)
    onStroke(now.stroke)
  }
  return (
    <div
      ref={place}
      className={`f-pen ${className}`}
      role="img"
      aria-label={label}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {children(current ? [...strokes, current] : strokes)}
    </div>
  )
}
