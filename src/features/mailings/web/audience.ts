import type { Filter } from '../../customers/web/data.ts'
import type { Asked } from './data.ts'

export const audiences = ['active', 'day', 'filter', 'chosen'] as const
export type Audience = (typeof audiences)[number]

export type Person = { id: string; name: string }
export type Picked = { audience: Audience; day: string | null; crewId: string; serviceId: string; people: Person[] }

/** Whom it means, or null where nobody is chosen yet. Somebody archived is never among them. */
export const choiceOf = (
  { audience, day, crewId, serviceId, people }: Picked,
  filter: Filter,
): Asked['choice'] | null => {
  switch (audience) {
    case 'active':
      return { filter: { stage: 'active' } }
    case 'filter':
      return { filter }
    case 'day':
      return day ? { visits: { day, ...(crewId ? { crewId } : {}), ...(serviceId ? { serviceId } : {}) } } : null
    default:
      return people.length > 0 ? { ids: people.map(({ id }) => id) } : null
  }
}
