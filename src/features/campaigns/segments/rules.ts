/** Whom a campaign is for: conditions that a customer fits all of. Each is read by the server as the list of customers reads its filters. */

export const conditionKinds = [
  'stage',
  'tag',
  'city',
  'zip',
  'service',
  'job',
  'lastVisit',
  'balance',
  'plan',
  'autopay',
  'source',
  'created',
  'language',
  'type',
] as const
export type ConditionKind = (typeof conditionKinds)[number]

/** More would hide from whoever reads them whom they mean. */
export const mostConditions = 12
export const mostSegments = 100

/** Who may not see money is not told by a count who owes. */
export const moneyKinds: ReadonlySet<ConditionKind> = new Set(['balance', 'plan', 'autopay'])

export type Condition =
  | { kind: 'stage'; stages: ('lead' | 'active' | 'past')[] }
  | { kind: 'tag'; has: boolean; tags: string[] }
  | { kind: 'city'; cities: string[] }
  | { kind: 'zip'; zips: string[] }
  | { kind: 'service'; has: boolean; serviceIds: string[] }
  | { kind: 'job'; has: boolean }
  | { kind: 'lastVisit'; within: boolean; days: number }
  | { kind: 'balance'; has: boolean }
  | { kind: 'plan'; has: boolean }
  | { kind: 'autopay'; has: boolean }
  | { kind: 'source'; sources: string[] }
  | { kind: 'created'; within: boolean; days: number }
  | { kind: 'language'; language: 'en' | 'es' }
  | { kind: 'type'; type: 'residential' | 'commercial' }

const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '…') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const stageLabels = { lead: 'a lead', active: 'an active customer', past: 'a past customer' } as const

/**
 * A condition as people say it.
 * @param serviceNames by id; one that is gone is said to be
 */
export const conditionLabel = (one: Condition, serviceNames: ReadonlyMap<string, string>): string => {
  switch (one.kind) {
    case 'stage':
      return `Is ${either(one.stages.map((stage) => stageLabels[stage]))}`
    case 'tag':
      return `${one.has ? 'Has' : 'Does not have'} the tag ${either(one.tags)}`
    case 'city':
      return `Has a property in ${either(one.cities)}`
    case 'zip':
      return `Has a property in ZIP ${either(one.zips)}`
    case 'service':
      return `${one.has ? 'Has' : 'Does not have'} ${either(one.serviceIds.map((id) => serviceNames.get(id) ?? 'a service that is gone'))} in a current job`
    case 'job':
      return one.has ? 'Has a current job' : 'Has a property without a current job'
    case 'lastVisit':
      return one.within
        ? `Last visit was within ${daysLabel(one.days)}`
        : `Last visit was more than ${daysLabel(one.days)} ago`
    case 'balance':
      return one.has ? 'Owes money' : 'Owes nothing'
    case 'plan':
      return one.has ? 'Has a running billing plan' : 'Has no running billing plan'
    case 'autopay':
      return one.has ? 'Pays by autopay' : 'Does not pay by autopay'
    case 'source':
      return `Came from ${either(one.sources)}`
    case 'created':
      return one.within
        ? `Has been in the list for at most ${daysLabel(one.days)}`
        : `Has been in the list for more than ${daysLabel(one.days)}`
    case 'language':
      return one.language === 'es' ? 'Reads Spanish' : 'Reads English'
    default:
      return one.type === 'residential' ? 'Is a home' : 'Is a company'
  }
}

const daysLabel = (days: number): string => `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`

/** A condition that was begun and does not say anything yet. */
export const isWhole = (one: Condition): boolean => {
  if ('stages' in one) return one.stages.length > 0
  if ('tags' in one) return one.tags.length > 0
  if ('cities' in one) return one.cities.length > 0
  if ('zips' in one) return one.zips.length > 0
  if ('serviceIds' in one) return one.serviceIds.length > 0
  if ('sources' in one) return one.sources.length > 0
  return true
}

/** Of a condition that was begun: what it waits for. */
export const conditionNeeds = ({ kind }: Condition): string =>
  `The condition ${kindLabels[kind]} needs a value. Until then it counts for nothing and is not saved.`

/** How a kind begins when it is added. */
export const newCondition = (kind: ConditionKind): Condition => {
  switch (kind) {
    case 'stage':
      return { kind, stages: ['active'] }
    case 'tag':
      return { kind, has: true, tags: [] }
    case 'city':
      return { kind, cities: [] }
    case 'zip':
      return { kind, zips: [] }
    case 'service':
      return { kind, has: false, serviceIds: [] }
    case 'lastVisit':
      return { kind, within: false, days: 90 }
    case 'source':
      return { kind, sources: [] }
    case 'created':
      return { kind, within: true, days: 90 }
    case 'language':
      return { kind, language: 'es' }
    case 'type':
      return { kind, type: 'residential' }
    default:
      return { kind, has: true }
  }
}

export const kindLabels: Record<ConditionKind, string> = {
  stage: 'Stage',
  tag: 'Tag',
  city: 'City',
  zip: 'ZIP code',
  service: 'Service',
  job: 'Current job',
  lastVisit: 'Last visit',
  balance: 'Balance',
  plan: 'Billing plan',
  autopay: 'Autopay',
  source: 'Source',
  created: 'In the list since',
  language: 'Language',
  type: 'Home or company',
}

/** A reason with somebody's name in it, as a pattern of both JavaScript and PostgreSQL: it is counted without the name. */
export const namedReason = '^(Same (?:number|e-mail) as) .+$'
