import { dayOf, formatDay, formatTime } from '../../../../shared/dates.ts'
import type { ClockAction, EntryKind } from '../../rules.ts'
import type { Sheet, SheetChange, SheetDetail } from '../contract.ts'
import { hoursText, sheetStateLabel } from '../rules.ts'

export const kindLabel: Record<EntryKind, string> = {
  work: 'Work',
  break: 'Break',
  shop: 'Shop',
  rain: 'Rain wait',
}

const tones = { open: 'neutral', submitted: 'now', approved: 'done', returned: 'late' } as const

export const stateBadge = ({ status, locked }: Pick<Sheet, 'status' | 'locked'>) =>
  locked && status === 'approved'
    ? ({ label: 'Locked', tone: 'done' } as const)
    : ({ label: sheetStateLabel[status], tone: tones[status] } as const)

const segmentNames = { onSite: 'on site', drive: 'driving', shop: 'shop', rain: 'rain wait', break: 'break' } as const

/** "6.25 on site, 1.10 driving, 0.50 break". */
export const segmentsText = (segments: SheetDetail['segments'][number]): string =>
  (Object.keys(segmentNames) as (keyof typeof segmentNames)[])
    .filter((name) => segments[name] > 0)
    .map((name) => `${hoursText(segments[name])} ${segmentNames[name]}`)
    .join(', ')

const verbs: Record<SheetChange['action'], string> = {
  submitted: 'handed the week in',
  approved: 'approved the week',
  returned: 'sent the week back',
  reopened: 'opened the week again',
  asked: 'asked for a correction',
  answered: 'answered',
  added: 'added time',
  changed: 'changed time',
  removed: 'took time out',
  late: 'sent time late from the phone',
  counted: 'counted the late time',
  left_out: 'left the late time out',
}

const taps: Record<ClockAction, string> = {
  clock_in: 'in',
  clock_out: 'out',
  break_start: 'break from',
  break_end: 'back',
  switch: 'switched to',
}

/** "Wed, Jun 10: in 7:00 AM, out 3:00 PM", a line a day. */
export const heldLines = (held: SheetDetail['held'], timeZone: string): string[] =>
  [...Map.groupBy(held, ({ at }) => dayOf(at, timeZone))].map(
    ([day, own]) =>
      `${formatDay(day)}: ${own
        .map(({ action, kind, at }) =>
          [
            taps[action],
            action === 'switch' && kind ? `${kindLabel[kind].toLowerCase()} at` : '',
            formatTime(at, timeZone),
          ]
            .filter(Boolean)
            .join(' '),
        )
        .join(', ')}`,
  )

/** "7 Bay St: started 9:20 AM, the phone was there from 9:02 AM". */
export const mismatchText = (
  { street, what, toldAt, seenAt, minutes }: SheetDetail['mismatches'][number],
  timeZone: string,
): string => {
  const told = formatTime(toldAt, timeZone)
  if (what === 'away' || !seenAt)
    return `${street}: started ${told}, and the phone was elsewhere for all ${minutes} min of it`
  const seen = formatTime(seenAt, timeZone)
  if (what === 'start') return `${street}: started ${told}, the phone came there by ${seen}. ${minutes} min apart`
  return `${street}: finished ${told}, the phone left there by ${seen}. ${minutes} min apart`
}

type Span = NonNullable<SheetChange['before']>

const spanText = ({ kind, startedAt, endedAt }: Span, timeZone: string): string =>
  `${kindLabel[kind]} ${formatTime(startedAt, timeZone)} to ${endedAt ? formatTime(endedAt, timeZone) : 'open'}`

/** Who did what, as a line of the trail. */
export const changeText = (change: SheetChange, timeZone: string): { what: string; how: string } => {
  const { by, action, before, after } = change
  const from = before ? spanText(before, timeZone) : ''
  const to = after ? spanText(after, timeZone) : ''
  return { what: `${by} ${verbs[action]}`, how: from && to ? `${from} → ${to}` : from || to }
}

export const whenText = (at: string, timeZone: string, day: string): string =>
  `${formatDay(day)}, ${formatTime(at, timeZone)}`
