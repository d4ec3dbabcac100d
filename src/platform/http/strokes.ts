import { type Stroke, strokePath, strokeWidth } from '../../shared/strokes.ts'
import { h, type PagePart } from './page.ts'

/** What the crew drew on a photo, over it. */
export const drawnOver = ({
  width,
  height,
  strokes,
}: {
  width: number | null
  height: number | null
  strokes: readonly Stroke[]
}): PagePart | null =>
  width === null || height === null || strokes.length === 0
    ? null
    : h(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'xMidYMid slice', 'aria-hidden': true },
        strokes.flatMap((stroke) =>
          (['edge', stroke.color] as const).map((line) =>
            h('path', {
              key: `${stroke.id} ${line}`,
              className: line,
              d: strokePath(stroke, width, height),
              fill: 'none',
              strokeLinecap: 'round',
              strokeLinejoin: 'round',
              strokeWidth: strokeWidth(width, height) * (line === 'edge' ? 1.8 : 1),
            }),
          ),
        ),
      )
