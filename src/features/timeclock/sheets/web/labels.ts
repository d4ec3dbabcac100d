import { formatDay, formatTime } from '../../../../shared/dates.ts'
import type { EntryKind } from '../../rules.ts'
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
