import type { Refusal } from '../../shared/can.ts'

export const campaignChannels = ['email', 'sms'] as const
export type CampaignChannel = (typeof campaignChannels)[number]
export const campaignStatuses = ['draft', 'scheduled', 'running', 'paused', 'finished', 'canceled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]
export const testMeasures = ['opens', 'clicks'] as const
export type TestMeasure = (typeof testMeasures)[number]
export type Variant = 'a' | 'b'

export const statusLabels: Record<CampaignStatus, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  running: 'Running',
  paused: 'Paused',
  finished: 'Finished',
  canceled: 'Canceled',
}

export const usualPerHour = 300
export const leastPerHour = 10
export const mostPerHour = 5000
export const mostHoldoutPercent = 20
/** Days after a campaign in which what customers bring is counted for it. */
export const resultDays = 30
/** A scheduled one that is later than that does not begin by itself any more. */
export const latestStartHours = 6
/** Test e-mails that go to typed addresses: so many at once, and so many an hour from a business. */
export const mostTestAddresses = 5
export const mostTestsAnHour = 10
/** So many may wait to begin. */
export const mostCampaigns = 500

export type Facts = { status: CampaignStatus }
const isOpen = ({ status }: Facts): boolean => status === 'draft' || status === 'scheduled'
export const campaignActions = [
  'update',
  'remove',
  'schedule',
  'unschedule',
  'start',
  'pause',
  'resume',
  'cancel',
  'copy',
  'test',
] as const
export type CampaignAction = (typeof campaignActions)[number]

const begun = (status: CampaignStatus): string => `This campaign is ${statusLabels[status].toLowerCase()}`

/** Why the state of a campaign refuses what somebody wants to do with it. */
export const campaignRefusals: Record<CampaignAction, Refusal<Facts>> = {
  update: (facts) =>
    isOpen(facts) ? null : `${begun(facts.status)}: what it says stays as it was sent. Copy it to write another one.`,
  remove: (facts) => (isOpen(facts) ? null : `${begun(facts.status)}. What was sent stays here with its results.`),
  schedule: (facts) => (isOpen(facts) ? null : `${begun(facts.status)} and has begun already.`),
  unschedule: ({ status }) => (status === 'scheduled' ? null : 'This campaign waits for no day.'),
  start: (facts) => (isOpen(facts) ? null : `${begun(facts.status)} and has begun already.`),
  pause: ({ status }) => (status === 'running' ? null : 'Only a running campaign can be paused.'),
  resume: ({ status }) => (status === 'paused' ? null : 'Only a paused campaign can go on.'),
  cancel: ({ status }) =>
    status === 'running' || status === 'paused' || status === 'scheduled'
      ? null
      : `${begun(status)}. There is nothing to cancel.`,
  copy: () => null,
  test: () => null,
}

/** So many at once, and so long until the next ones: what keeps the rate. */
export const paceOf = (perHour: number): { batch: number; waitMs: number } => {
  const batch = Math.min(50, Math.max(1, Math.ceil(perHour / 60)))
  return { batch, waitMs: Math.round((batch * 3_600_000) / perHour) }
}

/**
 * How an audience is parted, by their place in the order: the first are held out, the next get subject A, then B, and the rest waits for
 * the winner. Without a test all others simply follow.
 */
export const partsOf = (
  reached: number,
  { holdoutPercent, testPercent }: { holdoutPercent: number; testPercent: number | null },
): { heldOut: number; a: number; b: number } => {
  const heldOut = Math.min(reached, Math.round((reached * holdoutPercent) / 100))
  const others = reached - heldOut
  if (testPercent === null) return { heldOut, a: 0, b: 0 }
  // one of each at least, else nothing is tried out
  const each = Math.min(Math.floor(others / 2), Math.max(1, Math.round((others * testPercent) / 200)))
  return { heldOut, a: each, b: each }
}

type Audience = { chosen: number; isSorted: boolean; heldOut: number; leftOut: number }

/** How many get it, of those who fitted as it began; null until all of them were looked at. */
export const countToGet = ({ chosen, isSorted, heldOut, leftOut }: Audience): number | null =>
  isSorted ? chosen - heldOut - leftOut : null

/** How far it is, as every screen says it: "1 of 53". */
export const progressLabel = (one: Audience & { queued: number }): string => {
  const all = countToGet(one)
  return all === null
    ? `Looking at who can be reached, of ${one.chosen.toLocaleString('en-US')}`
    : `${one.queued.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}`
}

/** Fewer say nothing: one bounce of ten is ten percent. */
const leastForStop = 50
const mostBouncedShare = 0.05
const mostComplainedShare = 0.001

export type Health = { sent: number; bounced: number; complained: number }

/** Why a campaign stops by itself, or null: what goes on past these shares costs every mail of the business its place in the inbox. */
export const stopReason = ({ sent, bounced, complained }: Health): string | null => {
  if (sent < leastForStop) return null
  const of = `of ${sent.toLocaleString('en-US')} sent`
  if (complained / sent > mostComplainedShare)
    return `${complained === 1 ? '1 person' : `${complained} people`} ${of} marked it as spam: that is more than 0.1%.`
  if (bounced / sent > mostBouncedShare) return `${bounced} ${of} came back: that is more than 5%.`
  return null
}

export type VariantCounts = { sent: number; opened: number; clicked: number }

const shareOf = ({ sent, opened, clicked }: VariantCounts, by: TestMeasure): number =>
  sent === 0 ? 0 : (by === 'opens' ? opened : clicked) / sent

/** The subject that more people opened or clicked, by share; of two alike the first. */
export const winnerOf = (counts: Record<Variant, VariantCounts>, by: TestMeasure): Variant =>
  shareOf(counts.b, by) > shareOf(counts.a, by) ? 'b' : 'a'

/** "12.4%" of a count; a dash where there is nothing to share. */
export const shareLabel = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((part / whole) * 100).toFixed(part === whole ? 0 : 1)}%`

/** What opens mean, beside the figure. */
export const opensNote =
  'Apple Mail and Gmail fetch pictures by themselves or not at all, so opens are a rough figure. What machines fetched is left out; clicks are surer.'

/** Where somebody of the audience stands, in a few words. */
export const recipientStates = ['waiting', 'sent', 'notSent', 'heldOut', 'failed'] as const
export type RecipientState = (typeof recipientStates)[number]
export const recipientLabels: Record<RecipientState, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  notSent: 'Not sent',
  heldOut: 'Held out',
  failed: 'Did not arrive',
}
