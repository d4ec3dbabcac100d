/** The three roles, spelled so in the database and on the wire. */
export const roles = ['Owner', 'Admin', 'Employee'] as const
export type Role = (typeof roles)[number]

/** What a person may do beyond the role. Manager, dispatcher and crew lead are presets of these, never roles. */
export const permissions = [
  'customers',
  'schedule',
  'money',
  'payroll',
  'settings',
  'team',
  'crewLead',
  'collect',
] as const
export type Permission = (typeof permissions)[number]

/** Presets a person can be given; the list is copied to the person, so a later change of a preset changes nobody. */
export const permissionPresets: Record<
  'admin' | 'manager' | 'dispatcher' | 'crewLead' | 'crew',
  readonly Permission[]
> = {
  admin: ['customers', 'schedule', 'money', 'payroll', 'settings', 'team', 'crewLead'],
  manager: ['customers', 'schedule', 'money', 'team', 'crewLead'],
  dispatcher: ['customers', 'schedule', 'crewLead'],
  crewLead: ['crewLead'],
  crew: [],
}

/** What a role can be given. The office's permissions mean nothing in the crew app, so an Employee cannot have them. */
export const permissionsFor = (role: Role): readonly Permission[] =>
  role === 'Employee' ? ['crewLead', 'collect'] : permissions.filter((one) => one !== 'collect')

export type Rights = { role: Role; permissions: readonly Permission[] }

/** Whether somebody has a permission; an Owner has all, and who works with money may take it at the door. */
export const has = (who: Rights, permission: Permission): boolean =>
  who.role === 'Owner' ||
  who.permissions.includes(permission) ||
  (permission === 'collect' && who.permissions.includes('money'))

/**
 * Why one person may not change another, in words, or null. Who could change the phone, e-mail or invitation of somebody with more
 * rights could become them.
 */
export const beyondReach = (actor: Rights, person: Rights): string | null => {
  if (actor.role === 'Owner') return null
  if (person.role === 'Owner') return 'Only the owner can change the owner.'
  return person.permissions.every((permission) => has(actor, permission))
    ? null
    : 'This person may do more than you. Ask the owner of your business to change this.'
}

/** Which of the two kinds of session a role has. The kind follows the role found at sign-in. */
export type SessionKind = 'admin' | 'employee'
export const sessionKindOf = (role: Role): SessionKind => (role === 'Employee' ? 'employee' : 'admin')
