/** A place on the map. `color` may be a token: `var(--crew-1)`. */
export type MapPin = {
  id: string
  lat: number
  lon: number
  /** A number or letter on the pin. */
  label?: string | number
  /** What it is, for the tooltip and for those who do not see the map. */
  name: string
  color?: string
  state?: 'todo' | 'now' | 'done' | 'skipped'
  kind?: 'stop' | 'depot' | 'customer'
  selected?: boolean
  /** Half seen: not in the lane one looks at. */
  faded?: boolean
  /** How many places it stands for, in the number of a cluster; one without it. */
  count?: number
  /** Only about here: drawn with a broken ring. */
  rough?: boolean
}
export type MapLine = {
  id: string
  color: string
  points: readonly { lat: number; lon: number }[]
  dashed?: boolean
  faded?: boolean
}

/** The value of a CSS color that may be a variable. Canvas and MapLibre know no variables. */
export const resolveColor = (color: string): string => {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() || 'black' : color
}

/** West, south, east, north of everything, or null when there is nothing. */
export const boundsOf = (points: readonly { lat: number; lon: number }[]): [number, number, number, number] | null => {
  const good = points.filter(
    ({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 85 && Math.abs(lon) <= 180,
  )
  if (good.length === 0) return null
  return good.reduce<[number, number, number, number]>(
    (box, { lat, lon }) => [Math.min(box[0], lon), Math.min(box[1], lat), Math.max(box[2], lon), Math.max(box[3], lat)],
    [180, 90, -180, -90],
  )
}

const scale = 2
type Drawn = { width: number; height: number; data: Uint8ClampedArray }

const canvasOf = (width: number, height: number) => {
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D
  pen.scale(scale, scale)
  pen.lineJoin = 'round'
  pen.lineCap = 'round'
  return { pen, finish: (): Drawn => pen.getImageData(0, 0, canvas.width, canvas.height) }
}

const text = (pen: CanvasRenderingContext2D, words: string, x: number, y: number, size: number, color: string) => {
  pen.font = `700 ${size}px 'Hanken Grotesk', 'Atkinson Hyperlegible Next', system-ui, sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillStyle = color
  pen.fillText(words, x, y + 0.5)
}

/** Every image name carries what it shows, so the map can ask for it when it first needs it. */
export const pinImageName = (pin: MapPin): string =>
  [
    'pin',
    resolveColor(pin.color ?? 'var(--crew-1)'),
    pin.kind ?? 'stop',
    pin.state ?? 'todo',
    pin.selected ? 's' : '',
    String(pin.label ?? '').slice(0, 3),
    pin.rough ? 'r' : '',
  ].join('|')

const drawPin = (name: string): Drawn => {
  const [, color = 'black', kind, state, selected, label = '', rough] = name.split('|')
  const white = resolveColor('var(--on-crew)')
  const size = kind === 'depot' ? 30 : kind === 'customer' && !label ? 16 : 24
  const wide = Math.max(size, label.length > 2 ? 31 : size)
  const edge = 5
  const { pen, finish } = canvasOf(wide + edge * 2, size + edge * 2)
  const box = (grow: number) => {
    pen.beginPath()
    pen.roundRect(
      edge - grow,
      edge - grow,
      wide + grow * 2,
      size + grow * 2,
      (kind === 'customer' && !label ? size / 2 : 7) + grow,
    )
  }
  if (selected) {
    box(4.5)
    pen.fillStyle = resolveColor('var(--ink)')
    pen.fill()
  }
  box(2)
  pen.fillStyle = white
  pen.fill()
  box(0)
  pen.fillStyle = kind === 'depot' ? resolveColor('var(--flag)') : color
  pen.fill()
  if (rough) {
    pen.setLineDash([3, 3])
    pen.lineWidth = 2
    pen.strokeStyle = selected ? white : resolveColor('var(--ink)')
    box(3)
    pen.stroke()
    pen.setLineDash([])
  }
  const done = state === 'done' && kind !== 'depot'
  if (done) {
    // Hollow is done: the number stays readable, and it needs no color to tell.
    box(-2.2)
    pen.fillStyle = white
    pen.fill()
  }
  const middle = [edge + wide / 2, edge + size / 2] as const
  if (kind === 'depot') {
    pen.fillStyle = white
    pen.beginPath()
    pen.moveTo(middle[0] - 8, middle[1] + 7)
    pen.lineTo(middle[0] - 8, middle[1] - 2)
    pen.lineTo(middle[0], middle[1] - 8)
    pen.lineTo(middle[0] + 8, middle[1] - 2)
    pen.lineTo(middle[0] + 8, middle[1] + 7)
    pen.closePath()
    pen.fill()
  } else if (state === 'skipped') {
    pen.strokeStyle = white
    pen.lineWidth = 3
    pen.beginPath()
    pen.moveTo(middle[0] - 5, middle[1] - 5)
    pen.lineTo(middle[0] + 5, middle[1] + 5)
    pen.moveTo(middle[0] + 5, middle[1] - 5)
    pen.lineTo(middle[0] - 5, middle[1] + 5)
    pen.stroke()
  } else if (label) text(pen, label, middle[0], middle[1], label.length > 2 ? 11.5 : 13, done ? color : white)
  return finish()
}

const drawCluster = (name: string): Drawn => {
  const count = name.split('|')[1] ?? ''
  const size = 30 + count.length * 5
  const { pen, finish } = canvasOf(size, size)
  pen.beginPath()
  pen.arc(size / 2, size / 2, size / 2 - 1, 0, Math.PI * 2)
  pen.fillStyle = resolveColor('var(--on-crew)')
  pen.fill()
  pen.beginPath()
  pen.arc(size / 2, size / 2, size / 2 - 3.5, 0, Math.PI * 2)
  pen.fillStyle = resolveColor('var(--side)')
  pen.fill()
  text(pen, count, size / 2, size / 2, 14, resolveColor('var(--on-crew)'))
  return finish()
}

/** Draws the image of a name that `pinImageName` or a cluster made; null for names of the base map. */
export const drawMapImage = (name: string): Drawn | null =>
  name.startsWith('pin|') ? drawPin(name) : name.startsWith('cluster|') ? drawCluster(name) : null
export const mapImageScale = scale
