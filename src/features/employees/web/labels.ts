import { type Permission, permissionPresets, type Role } from '../../../shared/roles.ts'
import type { Employee } from '../contract.ts'

export type Preset = keyof typeof permissionPresets

const presetLabel: Record<Preset, { label: string; hint: string }> = {
  admin: { label: 'Admin', hint: 'Everything except handing over or closing the business' },
  manager: { label: 'Manager', hint: 'Customers, schedule, money and people, but no wages and no settings' },
  dispatcher: { label: 'Dispatcher', hint: 'Customers and schedule, no money' },
  crewLead: { label: 'Crew lead', hint: 'The crew app, and leads the crew when its leader is off' },
  crew: { label: 'Crew member', hint: 'The crew app with the own day' },
}

/** What a role can be given, with what each stands for. */
export const presetOptions = (
  role: Exclude<Role, 'Owner'>,
): { value: Preset; label: string; hint: string; permissions: readonly Permission[] }[] =>
  (role === 'Admin' ? (['admin', 'manager', 'dispatcher'] as const) : (['crew', 'crewLead'] as const)).map((value) => ({
    value,
    ...presetLabel[value],
    permissions: permissionPresets[value],
  }))

export const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one))

/** The preset that these permissions are, taking payments aside, which anybody may be given beside it; null for an own choice. */
export const presetLike = (role: Role, given: readonly Permission[]): Preset | null =>
  role === 'Owner'
    ? null
    : (presetOptions(role).find((preset) =>
        sameSet(
          preset.permissions,
          given.filter((one) => one !== 'collect'),
        ),
      )?.value ?? null)

export const permissionLabel: Record<Permission, { label: string; hint: string }> = {
  customers: { label: 'Customers', hint: 'Add and change customers and properties, write to them.' },
  schedule: { label: 'Schedule', hint: 'Plan jobs, visits, crews’ days and routes.' },
  money: { label: 'Money', hint: 'See prices, invoices and balances; bill and take payments.' },
  payroll: { label: 'Wages', hint: 'See and set wages, and what labor costs.' },
  settings: { label: 'Settings', hint: 'Change the business’s profile and connections.' },
  team: { label: 'People', hint: 'Add, invite and change people and crews.' },
  crewLead: {
    label: 'Lead a crew',
    hint: 'When the leader is off: clock the crew in and out, finish without a required item.',
  },
  collect: {
    label: 'Take payments at the door',
    hint: 'See what a customer owes and take cash and checks, where the business has that switched on.',
  },
}

export const roleLabel = (person: Pick<Employee, 'role' | 'permissions'>): string => {
  if (person.role === 'Owner') return 'Owner'
  const preset = presetLike(person.role, person.permissions)
  return preset ? presetLabel[preset].label : person.role === 'Admin' ? 'Office, own choice' : 'Crew'
}

/** Whether somebody can sign in, from what the server knows of invitations and proofs. */
export const statusOf = (person: Pick<Employee, 'status' | 'signIn'>) => {
  if (person.status === 'disabled') return { label: 'Deactivated', tone: 'neutral' } as const
  if (person.signIn.method) return { label: 'Active', tone: 'done' } as const
  if (person.signIn.invite?.state === 'open') return { label: 'Invited', tone: 'wait' } as const
  if (person.signIn.invite) return { label: 'Invitation expired', tone: 'late' } as const
  return { label: 'No sign-in yet', tone: 'neutral' } as const
}

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

/** Skills as they are typed, separated by commas. */
export const skillsIn = (text: string): string[] =>
  text
    .split(',')
    .map((skill) => skill.trim())
    .filter(Boolean)
