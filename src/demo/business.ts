import { hashPassword } from '../features/accounts/server/commands.ts'
import { crewCostCents } from '../features/employees/rules.ts'
import { clock } from '../platform/clock.ts'
import type { TenantDb } from '../platform/db/tenant.ts'
import { newId, randomToken } from '../platform/ids.ts'
import { addDays, type Day } from '../shared/dates.ts'
import { permissionPresets } from '../shared/roles.ts'
import { crews, devices, staff } from './people.ts'
import { depot } from './places.ts'
import type { DemoCrew } from './season.ts'

export const demoPassword = 'demo-swath-2026'
export const demoZone = 'America/New_York'
const timeZone = demoZone

/** The business itself, as it registered. */
export const makeBusiness = async (db: TenantDb, slug: string, workDays: number[]): Promise<void> => {
  await db
    .insertInto('businesses')
    .values({
      businessId: db.businessId,
      name: 'Palmetto & Pine Lawn Care',
      slug,
      timeZone,
      phone: '+18435550190',
      email: 'office@palmettopine.example',
      street: depot.street,
      city: 'Savannah',
      state: 'GA',
      zip: '31405',
      latitude: depot.latitude,
      longitude: depot.longitude,
      companySize: 'medium',
      customerCountClaimed: 100,
      planTier: 'enterprise',
      subscriptionStatus: 'active',
      subscriptionSince: clock.iso(),
      // Mild winters: the season never ends, so the demo has work on any day it is started.
      seasonStart: '01-01',
      seasonEnd: '12-31',
      workDays,
      invoiceTerms:
        'Please pay within 14 days. Checks to Palmetto & Pine Lawn Care, 4 Yardman Way, Savannah, GA 31405.',
      demo: true,
      reminders: 'all',
    })
    .execute()
  await db.insertInto('slugs').values({ slug, businessId: db.businessId }).execute()
}

/** Devices of the owner, so that their list shows what it is for; nobody holds their tokens. */
const makeDevices = async (db: TenantDb, userId: string): Promise<void> => {
  for (const { userAgent, usedHoursAgo } of devices) {
    const at = new Date(clock.nowMs() - usedHoursAgo * 3_600_000).toISOString()
    await db
      .insertInto('sessions')
      .values({
        businessId: db.businessId,
        id: newId(),
        userId,
        familyId: newId(),
        kind: 'admin',
        tokenHash: randomToken(),
        userAgent,
        ip: '203.0.113.24',
        expiresAt: new Date(clock.nowMs() + 20 * 86_400_000).toISOString(),
        createdAt: at,
        lastUsedAt: at,
      })
      .execute()
  }
}

/**
 * Its people and crews.
 * @param signIns whether they can sign in, with a password that everybody knows: only on one's own computer
 */
export const makeStaff = async (db: TenantDb, today: Day, signIns: boolean): Promise<DemoCrew[]> => {
  const passwordHash = signIns ? await hashPassword(demoPassword) : null
  const ids = new Map<string, string>()
  for (const person of staff) {
    const id = newId()
    const email = signIns ? person.email : null
    ids.set(person.key, id)
    await db
      .insertInto('users')
      .values({
        businessId: db.businessId,
        id,
        name: person.name,
        email,
        role: person.role,
        permissions: [...permissionPresets[person.preset]],
        language: person.language,
        phone: `+1843555${String(120 + ids.size).padStart(4, '0')}`,
        passwordHash: email ? passwordHash : null,
        emailVerifiedAt: email ? clock.iso() : null,
      })
      .execute()
    if (email) await db.insertInto('accountEmails').values({ email, businessId: db.businessId, userId: id }).execute()
    if (person.wageCents)
      await db
        .insertInto('wages')
        .values({
          businessId: db.businessId,
          id: newId(),
          userId: id,
          centsPerHour: person.wageCents,
          validFrom: addDays(today, -400),
        })
        .execute()
  }
  if (signIns) await makeDevices(db, ids.get('owner') ?? '')
  const made: DemoCrew[] = []
  for (const [position, crew] of crews.entries()) {
    const id = newId()
    const members = staff.filter((s) => s.crew === crew.name)
    const leader = ids.get(members.find((m) => m.preset === 'crewLead')?.key ?? '') ?? ''
    const { workDays } = await db
      .selectFrom('businesses')
      .select('workDays')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('crews')
      .values({
        businessId: db.businessId,
        id,
        name: crew.name,
        color: crew.color,
        leaderUserId: leader,
        depotStreet: depot.street,
        depotLatitude: depot.latitude,
        depotLongitude: depot.longitude,
        skills: [...crew.skills],
        position,
        workDays,
      })
      .execute()
    for (const member of members) {
      await db
        .insertInto('crewMembers')
        .values({
          businessId: db.businessId,
          id: newId(),
          crewId: id,
          userId: ids.get(member.key) ?? '',
          validFrom: addDays(today, -200),
        })
        .execute()
    }
    made.push({
      id,
      name: crew.name,
      people: members.length,
      leader,
      costCentsPerHour: crewCostCents(
        members.map((m) => ({ wageCentsPerHour: m.wageCents })),
        { defaultWageCents: 2000, burdenPercent: 12 },
      ),
    })
  }
  return made
}
