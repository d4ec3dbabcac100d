/** The three roles, spelt so in the database and on the wire. */
export const roles = ['Owner', 'Admin', 'Employee'] as const
export type Role = (typeof roles)[number]

/** What a person may do beyond the role. Manager, dispatcher and crew lead are presets of these, never roles. */
export const permissions = ['customers', 'schedule', 'money', 'payroll', 'settings', 'team', 'crewLead'] as const
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

/** Which of the two kinds of session a role has. The kind follows the role found at sign-in. */
export type SessionKind = 'admin' | 'employee'
export const sessionKindOf = (role: Role): SessionKind => (role === 'Employee' ? 'employee' : 'admin')
