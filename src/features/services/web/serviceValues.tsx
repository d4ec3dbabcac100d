import { formatCents } from '#src/shared/money.ts'
import { type FieldWords, labelIn } from '#src/ui/TwoAnswers.tsx'
import type { ServiceChange, ServiceDraft, ServiceRecord } from '../contract.ts'
import { defaultServices } from '../defaults/rules.ts'
import { type MeasuredBy, measureLabel, measures, measureUnit } from '../measures/rules.ts'
import { categoryLabel, type PriceRule, serviceCategories, serviceUnits, unitLabel } from '../rules.ts'

export const categoryOptions = serviceCategories.map((value) => ({ value, label: categoryLabel[value] }))
export const measureOptions = measures.map((value) => ({
  value,
  label: `${measureLabel[value]}, ${measureUnit[value]}`,
}))
export const unitOptions = serviceUnits.map((value) => ({ value, label: unitLabel[value] }))

/** What 1,000 more cost at first, in cents. */
const firstRate: Record<MeasuredBy, number> = { lawn: 250, beds: 20_000, edges: 45_000 }
/** How a price by size begins: one rate for any size. */
export const firstTiers = (measuredBy: MeasuredBy): PriceRule['tiers'] => [
  { upToSquareFeet: null, centsPerKsqft: firstRate[measuredBy] },
]

/** A service as the form holds it; a new one begins with the usual rules. */
export const draftOf = (service: ServiceRecord | null): ServiceDraft => {
  const usual = defaultServices[0] as ServiceDraft
  const source = service ?? { ...usual, name: '', nameEs: '', description: '', checklist: [] }
  const { name, description, category, unit, priceRule, timeRule, taxCategory, checklist, photoRequired, minGapDays } =
    source
  const { nameEs, skills, soldAtDoor, measuredBy } = source
  return {
    name,
    nameEs,
    description,
    category,
    unit,
    measuredBy,
    priceRule: priceRule ?? usual.priceRule,
    timeRule,
    taxCategory,
    checklist,
    photoRequired,
    soldAtDoor,
    minGapDays,
    skills,
  }
}

const skillsOf = ({ skills }: ServiceDraft): string[] => skills.map((skill) => skill.trim()).filter(Boolean)

/** A draft as it is sent. */
export const cleanDraft = (draft: ServiceDraft): ServiceDraft => ({ ...draft, skills: skillsOf(draft) })

/** What two people can change without disturbing each other: each part of the price and of the time by itself. */
export const fieldsOf = ({ priceRule, timeRule, ...draft }: ServiceDraft) => {
  const { difficultyPercent: timeDifficultyPercent, ...time } = timeRule
  return { ...draft, ...priceRule, ...time, timeDifficultyPercent, skills: skillsOf({ ...draft, priceRule, timeRule }) }
}
type Fields = ReturnType<typeof fieldsOf>

/** Changed fields as they go to the server: a price or a time of which a part changed goes with the rest as it stands there. */
export const changesOf = (changes: Partial<Fields>, over: ServiceRecord): Omit<ServiceChange, 'version'> => {
  const { minCents, sizeAtMinSquareFeet, tiers, roundToCents, difficultyPercent, ...noPrice } = changes
  const { frequencyPercent, firstCutPercent, roundUp, ...noRule } = noPrice
  const { fixedMinutes, minutesPerKsqft, minutesPerUnit, timeDifficultyPercent, ...rest } = noRule
  const price = {
    minCents,
    sizeAtMinSquareFeet,
    tiers,
    roundToCents,
    difficultyPercent,
    frequencyPercent,
    firstCutPercent,
    roundUp,
  }
  const time = { fixedMinutes, minutesPerKsqft, minutesPerUnit, difficultyPercent: timeDifficultyPercent }
  const touched = <T extends object>(parts: T) => Object.entries(parts).filter(([, value]) => value !== undefined)
  const before = draftOf(over)
  return {
    ...rest,
    ...(touched(price).length > 0 ? { priceRule: { ...before.priceRule, ...Object.fromEntries(touched(price)) } } : {}),
    ...(touched(time).length > 0 ? { timeRule: { ...before.timeRule, ...Object.fromEntries(touched(time)) } } : {}),
  }
}

const minutes = (value: number): string => `${value} min`
const grades = (percents: readonly number[]): string =>
  percents.map((percent, index) => `${index + 1}: ${percent}%`).join(', ')

/** What the form calls its fields. */
export const serviceWords: FieldWords<Fields> = {
  name: 'Name',
  nameEs: 'Name in Spanish',
  description: 'What the customer reads',
  category: { label: 'Kind of work', show: labelIn(categoryOptions) },
  unit: { label: 'Priced', show: labelIn(unitOptions) },
  measuredBy: { label: 'Measured by', show: labelIn(measureOptions) },
  minCents: { label: 'Smallest price', show: formatCents },
  sizeAtMinSquareFeet: { label: 'Smallest price holds up to', show: (size) => size.toLocaleString('en-US') },
  roundToCents: { label: 'Round to', show: formatCents },
  roundUp: { label: 'Round up', show: (up) => (up ? 'always up' : 'half up') },
  tiers: {
    label: 'For each 1,000 more',
    show: (tiers) =>
      tiers
        .map(({ upToSquareFeet, centsPerKsqft }) =>
          upToSquareFeet === null
            ? formatCents(centsPerKsqft)
            : `${formatCents(centsPerKsqft)} up to ${upToSquareFeet.toLocaleString('en-US')}`,
        )
        .join(', then '),
  },
  frequencyPercent: {
    label: 'Frequency',
    show: ({ weekly, biweekly, monthly, once }) =>
      `Every week ${weekly}%, every 2 weeks ${biweekly}%, every month ${monthly}%, once ${once}%`,
  },
  difficultyPercent: { label: 'Difficulty', show: grades },
  firstCutPercent: { label: 'First cut', show: (percent) => `${percent}%` },
  fixedMinutes: { label: 'Each visit', show: minutes },
  minutesPerKsqft: { label: 'Time per 1,000', show: minutes },
  minutesPerUnit: { label: 'Time per unit', show: minutes },
  timeDifficultyPercent: { label: 'Difficulty of the time', show: grades },
  checklist: {
    label: 'Checklist for the crew',
    show: (points) =>
      points
        .map(
          ({ text, es, required, photo }) =>
            `${text}${es ? ` / ${es}` : ''}${required ? ' (must)' : ''}${photo ? ' (photo)' : ''}`,
        )
        .join('\n'),
  },
  photoRequired: 'A photo is needed to finish',
  soldAtDoor: 'Crews sell it at the door',
  skills: 'Skills and equipment it needs',
  minGapDays: { label: 'Days between two visits, at least', show: String },
  taxCategory: 'Tax category',
}
