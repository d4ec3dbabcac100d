import sharp from 'sharp'
import { todayOf } from '../features/businesses/server/queries.ts'
import { setOdometer } from '../features/expenses/mileage/server/commands.ts'
import { addRecurring } from '../features/expenses/recurring/server/commands.ts'
import { addExpenseTx, categoryOf, handInReceipt, type NewExpense } from '../features/expenses/server/commands.ts'
import { addReceiptTx } from '../features/expenses/server/photos.ts'
import { storeImage } from '../features/files/server/commands.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'
import { addDays, addMonths, type Day, weekdayOf } from '../shared/dates.ts'
import { seeded } from './random.ts'

const weeks = 9

/** A receipt as a phone would photograph it, drawn. */
const receiptPicture = (vendor: string, lines: readonly [string, string][], total: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1200" font-family="monospace" font-size="38" fill="#2b2b2b">
      <rect width="900" height="1200" fill="#6d6a63"/><g transform="rotate(-1.6 450 600)"><rect x="130" y="70" width="640" height="1060" fill="#fbfaf5"/>
      <text x="450" y="170" text-anchor="middle" font-size="50" font-weight="bold">${vendor}</text>
      ${lines.map(([what, sum], at) => `<text x="180" y="${300 + at * 66}">${what}</text><text x="720" y="${300 + at * 66}" text-anchor="end">${sum}</text>`).join('')}
      <text x="180" y="${360 + lines.length * 66}" font-weight="bold">TOTAL</text><text x="720" y="${360 + lines.length * 66}" text-anchor="end" font-weight="bold">${total}</text>
      <text x="450" y="1050" text-anchor="middle" font-size="30">THANK YOU</text></g></svg>`),
  )
    .jpeg({ quality: 80 })
    .toBuffer()

type Draft = Partial<NewExpense> & Pick<NewExpense, 'day' | 'vendor' | 'totalCents' | 'method'> & { code: string }

/**
 * One of each kind: fuel and the dump by crew, supplies split over jobs, what comes by itself, money of one's own that is owed, receipts that wait,
 * an odometer. All of the past weeks, so that sums and months have something to show.
 */
export const spend = async (owner: Actor): Promise<void> => {
  const who = systemActor(owner.businessId)
  const random = seeded(14)
  const { today, crews, jobs, people } = await withTenant(owner, async (db) => ({
    today: await todayOf(db),
    crews: await db
      .selectFrom('crews')
      .select(['id', 'vehicleName'])
      .where('businessId', '=', db.businessId)
      .orderBy('position')
      .execute(),
    jobs: await db
      .selectFrom('jobs')
      .select(['id', 'crewId'])
      .where('businessId', '=', db.businessId)
      .orderBy('number')
      .limit(40)
      .execute(),
    people: await db
      .selectFrom('users')
      .select(['id', 'name', 'role'])
      .where('businessId', '=', db.businessId)
      .orderBy('id')
      .execute(),
  }))
  const worker = people.find(({ role }) => role === 'Employee')
  const first = crews[0]
  if (!first || !worker) return
  const of = (crew: { id: string; vehicleName: string }, amountCents: number, jobId: string | null = null) => ({
    amountCents,
    crewId: crew.id,
    vehicle: crew.vehicleName,
    jobId,
    visitId: null,
  })
  const drafts: Draft[] = []
  for (let day = addDays(today, -7 * weeks); day <= today; day = addDays(day, 1)) {
    const weekday = weekdayOf(day)
    if (weekday === 0 || weekday === 6) continue
    crews.forEach((crew, at) => {
      if ((weekday + at) % 3 === 0) {
        const totalCents = 6_200 + Math.round(random() * 5_400)
        const vendor = random() < 0.7 ? 'Parker’s Kitchen' : 'Enmarket'
        drafts.push({ code: 'fuel', day, vendor, totalCents, method: 'card', parts: [of(crew, totalCents)] })
      }
      if (weekday === 5 && at < 3) {
        const totalCents = 3_500 + Math.round(random() * 4) * 500
        drafts.push({
          code: 'disposal',
          day,
          vendor: 'Bull River Recycling',
          totalCents,
          method: 'card',
          parts: [of(crew, totalCents)],
        })
      }
    })
    if (weekday === 2) {
      const parts = crews.slice(0, 3).map((crew) => of(crew, 4_000 + Math.round(random() * 3_000)))
      const totalCents = parts.reduce((sum, part) => sum + part.amountCents, 0)
      drafts.push({
        code: 'materials',
        day,
        vendor: 'SiteOne',
        totalCents,
        taxCents: Math.round(totalCents * 0.065),
        method: 'account',
        parts,
      })
    }
  }
  const backThen = (days: number): Day => addDays(today, -days)
  const treated = jobs.slice(0, 2)
  drafts.push(
    {
      code: 'materials',
      day: backThen(6),
      vendor: 'Savannah Mulch and Stone',
      totalCents: 38_450,
      taxCents: 2_515,
      method: 'card',
      note: 'Pine straw, 42 bales',
      parts: treated.map((job, at) => of(first, at === 0 ? 20_450 : 18_000, job.id)),
    },
    {
      code: 'repairs',
      day: backThen(11),
      vendor: 'Low Country Mower',
      totalCents: 21_995,
      taxCents: 1_439,
      method: 'card',
      note: 'Spindle and belt',
    },
    {
      code: 'advertising',
      day: backThen(16),
      vendor: 'Print Haus',
      totalCents: 14_200,
      method: 'card',
      note: '40 yard signs',
    },
    {
      code: 'materials',
      day: backThen(3),
      vendor: 'Lowe’s',
      totalCents: 4_387,
      taxCents: 287,
      method: 'personal',
      paidByUserId: worker.id,
      note: 'Trimmer line, two rolls',
      parts: [of(first, 4_387)],
    },
    {
      code: 'meals',
      day: backThen(24),
      vendor: 'Zaxbys',
      totalCents: 6_120,
      method: 'personal',
      paidByUserId: worker.id,
      reimbursedOn: backThen(20),
    },
    {
      code: 'other',
      day: backThen(1),
      vendor: 'Siteone',
      totalCents: 0,
      method: 'card',
      note: 'Your SiteOne order is ready',
      source: 'mail',
      review: true,
    },
  )
  const picture = await storeImage(
    who,
    await receiptPicture(
      'LOW COUNTRY MOWER',
      [
        ['SPINDLE ASSY', '164.99'],
        ['BELT 54IN', '40.57'],
        ['TAX', '14.39'],
      ],
      '219.95',
    ),
  )
  await withTenant(who, async (db) => {
    for (const { code, ...draft } of drafts) {
      const categoryId = await categoryOf(db, code)
      const id = await addExpenseTx(db, who, {
        taxCents: 0,
        note: '',
        paidByUserId: null,
        reimbursedOn: null,
        parts: [],
        source: 'office',
        ...draft,
        categoryId,
      })
      if (id && (code === 'repairs' || draft.source === 'mail')) await addReceiptTx(db, who, id, newId(), picture)
    }
  })
  const category = (code: string) => withTenant(owner, (db) => categoryOf(db, code))
  const comes = { endOn: null, note: '', taxCents: 0, method: 'bank' as const, crewId: null }
  const month = (months: number, day: string): Day => addMonths(`${today.slice(0, 8)}${day}`, -months)
  for (const [code, cost] of [
    ['insurance', { ...comes, every: 'month', firstOn: month(6, '05'), vendor: 'Auto-Owners', totalCents: 64_300 }],
    [
      'truck',
      {
        ...comes,
        every: 'month',
        firstOn: month(6, '12'),
        vendor: 'Ford Credit',
        totalCents: 71_825,
        crewId: first.id,
      },
    ],
    [
      'office',
      {
        ...comes,
        every: 'quarter',
        firstOn: month(5, '01'),
        vendor: 'Bookkeeping by Dana',
        totalCents: 45_000,
        method: 'check',
      },
    ],
    [
      'licenses',
      {
        ...comes,
        every: 'year',
        firstOn: month(3, '15'),
        vendor: 'Georgia Dept. of Agriculture',
        totalCents: 9_000,
        method: 'card',
      },
    ],
  ] as const)
    await addRecurring(owner, { ...cost, categoryId: await category(code) })
  await handInReceipt(
    { ...owner, userId: worker.id, name: worker.name, role: 'Employee' },
    { kind: 'fuel', totalCents: 7_164, vendor: 'Enmarket', note: '', ownMoney: false },
  )
  let miles = 41_208
  for (const back of [5, 4, 3, 2, 1]) {
    if ([0, 6].includes(weekdayOf(backThen(back)))) continue
    const endMiles = miles + 38 + Math.round(random() * 14)
    await setOdometer(owner, { day: backThen(back), crewId: first.id, startMiles: miles, endMiles })
    miles = endMiles + 2
  }
}
