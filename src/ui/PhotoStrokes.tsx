import { useEffect, useRef, useState } from 'react'
import { type Stroke, strokePath, strokeWidth } from '#src/shared/strokes.ts'
import './PhotoStrokes.css'

type Size = { width: number; height: number }

/**
 * What somebody drew on a photo, over it: stands beside the `img` in a place that is positioned. The size of the picture is taken from there where
 * it is not known.
 */
export const PhotoStrokes = ({
  strokes,
  size = null,
  fit = 'cover',
  ink = false,
}: {
  strokes: readonly Stroke[]
  size?: Size | null
  /** As the photo is fitted into its place. */
  fit?: 'cover' | 'contain' | 'stretch'
  /** A signature: one thin line in the color of the words. */
  ink?: boolean
}) => {
  const svg = useRef<SVGSVGElement>(null)
  const [measured, setMeasured] = useState<Size | null>(null)
  const known = size !== null
  useEffect(() => {
    const img = known ? null : svg.current?.parentElement?.querySelector('img')
    if (!img) return
    const read = () => {
      if (img.naturalWidth > 0) setMeasured({ width: img.naturalWidth, height: img.naturalHeight })
    }
    read()
    img.addEventListener('load', read)
    return () => img.removeEventListener('load', read)
  }, [known])
  const of = size ?? measured
  return (
    <svg
      ref={svg}
      className={ink ? 'ui-strokes is-ink' : 'ui-strokes'}
      viewBox={of ? `0 0 ${of.width} ${of.height}` : undefined}
      preserveAspectRatio={fit === 'cover' ? 'xMidYMid slice' : fit === 'contain' ? 'xMidYMid meet' : 'none'}
      aria-hidden="true"
    >
      {of ? <StrokeLines strokes={strokes} size={of} /> : null}
    </svg>
  )
}

/** The lines of a drawing of so many units, each over a dark edge, so that it shows on grass and on sky. */
export const StrokeLines = ({ strokes, size: { width, height } }: { strokes: readonly Stroke[]; size: Size }) => {
  const thick = strokeWidth(width, height)
  return strokes.map((stroke) => (
    <g key={stroke.id} fill="none" strokeLinecap="round" strokeLinejoin="round">
      <path className="ui-strokes__edge" d={strokePath(stroke, width, height)} strokeWidth={thick * 1.8} />
      <path className={`is-${stroke.color}`} d={strokePath(stroke, width, height)} strokeWidth={thick} />
    </g>
  ))
}
