import type { Automation } from '../contract.ts'
import { kinds, type usualOf } from '../kinds/rules.ts'

/** What the form of an automation holds, and how it comes from a record and goes into one. */

export type Values = {
  name: string
  delay: number | null
  atMinute: number | null
  startsOn: string
  ways: string
  approval: 'self' | 'ask'
  everyDays: number | null
  subjectEn: string
  subjectEs: string
  textEn: string
  textEs: string
  tags: string[]
  cities: string[]
  stages: string[]
  serviceIds: string[]
  balance: 'any' | 'owes' | 'none'
  leastLawnSquareFeet: number | null
}

/** What is written of one, before it has a record or after. */
type Written = Pick<Automation, 'kind' | keyof ReturnType<typeof usualOf>>

export const read = ({ conditions, channels, startsOn, ...rest }: Written): Values => ({
  name: rest.name,
  delay: rest.delay,
  atMinute: rest.atMinute,
  startsOn: startsOn ?? '08-01',
  ways: channels.join(','),
  approval: rest.approval,
  everyDays: rest.everyDays,
  subjectEn: rest.subjectEn,
  subjectEs: rest.subjectEs,
  textEn: rest.textEn,
  textEs: rest.textEs,
  ...conditions,
})

/** @param automation what stands where a field was left empty */
export const toChange = (automation: Written, values: Values) => {
  const { timing } = kinds[automation.kind]
  return {
    name: values.name,
    delay: values.delay ?? automation.delay,
    atMinute: timing === 'hours' ? null : (values.atMinute ?? automation.atMinute),
    startsOn: timing === 'yearly' ? values.startsOn : null,
    channels: values.ways.split(',') as Automation['channels'],
    approval: values.approval,
    everyDays: values.everyDays ?? automation.everyDays,
    subjectEn: values.subjectEn,
    subjectEs: values.subjectEs,
    textEn: values.textEn,
    textEs: values.textEs,
    conditions: {
      tags: values.tags,
      cities: values.cities,
      stages: values.stages as Automation['conditions']['stages'],
      serviceIds: values.serviceIds,
      balance: values.balance,
      leastLawnSquareFeet: values.leastLawnSquareFeet,
    },
  }
}

export const wayOptions = [
  { value: 'sms,email', label: 'Text, else e-mail' },
  { value: 'email,sms', label: 'E-mail, else text' },
  { value: 'sms', label: 'Text only' },
  { value: 'email', label: 'E-mail only' },
] as const
export const approvalOptions = [
  { value: 'self', label: 'By itself' },
  {
    value: 'ask',
    label: 'Wait for my yes',
    hint: 'Each stands on this screen and on the bell until somebody sends it.',
  },
] as const
export const balanceOptions = [
  { value: 'any', label: 'Everybody' },
  { value: 'owes', label: 'Who owes something' },
  { value: 'none', label: 'Who owes nothing' },
] as const
export const stageChips = [
  { value: 'lead', label: 'Lead' },
  { value: 'active', label: 'Active' },
  { value: 'past', label: 'Past' },
]
