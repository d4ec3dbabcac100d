import type { Frequency } from '../../services/rules.ts'
import { frequencyLabel } from '../rules.ts'

const frequencies = Object.keys(frequencyLabel) as Frequency[]

const words = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/**
 * Which services somebody asked for on the public page, and how often: their request begins with "Mowing, every week; Fertilization, once". What is
 * written freely names none.
 */
export const servicesAsked = (
  wants: string,
  services: readonly { id: string; name: string }[],
): { id: string; frequency: Frequency | null }[] => {
  const parts = wants.split(/[;\n]/).map(words)
  return services.flatMap(({ id, name }) => {
    const of = words(name)
    const part = parts.find((one) => one === of || frequencies.some((each) => one === `${of}, ${frequencyLabel[each]}`))
    if (part === undefined) return []
    return [{ id, frequency: frequencies.find((each) => part === `${of}, ${frequencyLabel[each]}`) ?? null }]
  })
}
