import type { permissionPresets, Role } from '../../../shared/roles.ts'
import type { Employee } from '../contract.ts'

export type Preset = keyof typeof permissionPresets

const presetWords: Record<Preset, { label: string; hint: string }> = {
  admin: { label: 'Admin', hint: 'Everything except handing over or closing the business' },
  manager: { label: 'Manager', hint: 'Customers, schedule, money and people, but no wages and no settings' },
  dispatcher: { label: 'Dispatcher', hint: 'Customers and schedule, no money' },
  crewLead: { label: 'Crew lead', hint: 'The crew app, and the day of the whole crew' },
  crew: { label: 'Crew member', hint: 'The crew app with the own day' },
}

/** What a role can be given. */
export const presetsOf = (role: Exclude<Role, 'Owner'>): { value: Preset; label: string; hint: string }[] =>
  (role === 'Admin' ? (['admin', 'manager', 'dispatcher'] as const) : (['crew', 'crewLead'] as const)).map((value) => ({
    value,
    ...presetWords[value],
  }))

/** The preset that a person's permissions come from, by the most telling one. */
export const presetOf = (person: Pick<Employee, 'role' | 'permissions'>): Preset => {
  const has = (permission: Employee['permissions'][number]) => person.permissions.includes(permission)
  if (person.role === 'Employee') return has('crewLead') ? 'crewLead' : 'crew'
  return has('settings') ? 'admin' : has('money') ? 'manager' : 'dispatcher'
}

export const roleWords = (person: Pick<Employee, 'role' | 'permissions'>): string =>
  person.role === 'Owner' ? 'Owner' : presetWords[presetOf(person)].label

const statusWords = {
  active: { label: 'Active', tone: 'done' },
  invited: { label: 'No sign-in yet', tone: 'wait' },
  disabled: { label: 'Deactivated', tone: 'neutral' },
} as const

/** Whether somebody can sign in. Without an e-mail nobody can, whatever the status says. */
export const statusOf = (person: Pick<Employee, 'status' | 'email'>) =>
  statusWords[person.status === 'active' && person.email === null ? 'invited' : person.status]

/** Days of the week as the crew editor offers them, Monday first. */
export const weekdays = [
  { value: 1, label: 'Mon' },
  { value: 2, label: 'Tue' },
  { value: 3, label: 'Wed' },
  { value: 4, label: 'Thu' },
  { value: 5, label: 'Fri' },
  { value: 6, label: 'Sat' },
  { value: 0, label: 'Sun' },
] as const

/** "Mon to Fri", "Tue, Thu, Sat". */
export const weekdaysText = (days: readonly number[]): string => {
  const on = weekdays.filter((day) => days.includes(day.value))
  const first = on[0]
  const last = on.at(-1)
  if (!first || !last) return 'no days'
  const from = weekdays.indexOf(first)
  const isRun = on.length > 2 && weekdays.slice(from, from + on.length).every((day) => days.includes(day.value))
  return isRun ? `${first.label} to ${last.label}` : on.map((day) => day.label).join(', ')
}
