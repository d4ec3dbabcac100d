import type { ReactNode } from 'react'
import type { Asked } from './data.ts'

type Audience = 'active' | 'day' | 'filter' | 'chosen'

type Choice = { value: string; label: string; hint?: string }

/** What other parts of the product offer to choose from; the screen is put together with them in one place. */
export type Offered = {
  /** The filters of the customers' list. */
  picker: ReactNode
  crews: readonly Choice[]
  services: readonly Choice[]
  findCustomers: (text: string, signal: AbortSignal) => Promise<Choice[]>
}

type Person = { id: string; name: string }
export type Picked = { audience: Audience; day: string | null; crewId: string; serviceId: string; people: Person[] }

/** Whom it means, or null where nobody is chosen yet. Somebody archived is never among them. */
export const choiceOf = (
  { audience, day, crewId, serviceId, people }: Picked,
  filter: Readonly<Record<string, unknown>>,
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
