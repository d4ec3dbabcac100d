import type { StripState, StripStop } from '../stripLayout.ts'

let seed = 7
const random = () => {
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
}
const streets = [
  '132 Laurel Green Ct',
  '1513 Cathy St',
  '45 Wassaw Rd',
  '203 E Gwinnett St',
  '11 Vernon River Dr',
  '12 Bluff Dr',
  '884 Montgomery St',
  '7 Tidewater Way',
  '61 Rose Dhu Rd',
]

export const dayOf = (count: number, done: number, odd?: [number, StripState]): StripStop[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    label: streets[index % streets.length] ?? '',
    minutes: Math.round(14 + random() * 22),
    driveMinutesBefore: Math.round(3 + random() * 8),
    state: odd?.[0] === index ? odd[1] : index < done ? 'done' : index === done ? 'now' : 'todo',
    detail: odd?.[0] === index && odd[1] === 'skipped' ? 'Gate locked' : 'Mow, edge, trim',
  }))

const shift = { startMinute: 420, endMinute: 1020 }
const lane = (name: string, sub: string, stops: StripStop[], back: string) => ({
  id: name,
  name,
  sub,
  stops,
  shift,
  driveHomeMinutes: 12,
  right: `${stops.filter((stop) => stop.state === 'done').length} of ${stops.length} stops`,
  rightSub: `back at ${back}`,
})
export const lanes = [
  lane('North crew', 'Ana, Luis', dayOf(17, 11), '2:55 PM'),
  lane('Midtown', 'Marcus, Jo', dayOf(16, 8, [4, 'skipped']), '3:20 PM'),
  lane('Islands', 'Pete, Sam', dayOf(14, 6, [6, 'paused']), '4:35 PM'),
  lane('Treatments', 'Rita', dayOf(13, 9), '3:05 PM'),
]
