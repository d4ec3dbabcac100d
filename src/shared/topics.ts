/** What changes on the server are about; the first element of every query key on the web. */
export type Topic =
  | 'visits'
  | 'routes'
  | 'season'
  | 'invoices'
  | 'customers'
  | 'imports'
  | 'notifications'
  | 'jobs'
  | 'messages'
  | 'services'
  | 'crews'
  | 'payments'
  | 'timeclock'
  | 'calendar'
  | 'weather'
  | 'views'
  | 'business'
  | 'expenses'
  | 'books'
  | 'chat'
  | 'equipment'
  | 'materials'
  | 'leads'
  | 'reviews'
  | 'quotes'
  | 'tasks'
  | 'reports'
  | 'automations'
  | 'campaigns'

/** What the days on a crew's phone are made of; a crew hears of nothing else. */
export const crewTopics: readonly Topic[] = [
  'visits',
  'routes',
  'crews',
  'services',
  'jobs',
  'customers',
  'business',
  'equipment',
]

/** Whose plan shows a change, for those who look at one day or one crew. */
export type Scope = {
  days?: readonly (string | null | undefined)[]
  crewIds?: readonly (string | null | undefined)[]
}

/** What open screens hear. An empty list means "any". */
export type Change = {
  /** Also a newer server's topic, which a page may not know yet. */
  topic: Topic | (string & {})
  ids: string[]
  days: string[]
  crewIds: string[]
  /** The browser tab that asked for it. */
  by: string | null
}

/** A screen that opens its stream hears what was said at most so many milliseconds before. */
export const repeatedMs = 30_000

/** What moves a query beside its key, as its `meta.live`. Without one it follows the topic that its key begins with. */
export type Live = {
  topics?: readonly Topic[]
  /** Waits this long after the first change, so that many are one request; for screens that show the whole business. */
  everyMs?: number
  /** False for a change that this query does not show. `own`: this tab asked for the change and has had its answer. */
  shows?: (change: Change, data: unknown, own: boolean) => boolean
}
