import sharp from 'sharp'
import { addFileTx, type StoredImage, storeImage } from '../features/files/server/commands.ts'
import { systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../platform/db/tenant.ts'
import { newId } from '../platform/ids.ts'

/** Pictures as a crew's phone would take them, drawn: nobody's home. */

const houses = [
  { wall: '#efe6d4', roof: '#7b4a3a', door: '#3f5a4a', shift: 0 },
  { wall: '#d9e2e6', roof: '#4d5560', door: '#8a3b2e', shift: -170 },
  { wall: '#e9d3bd', roof: '#5f5347', door: '#2f4a6b', shift: 150 },
]
type House = (typeof houses)[number]

const scene = (inside: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">
      <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#8fc4e6"/><stop offset="1" stop-color="#e2f0f5"/></linearGradient></defs>
      <rect width="1200" height="900" fill="url(#sky)"/>${inside}</svg>`),
  )
    .jpeg({ quality: 80 })
    .toBuffer()

const tree = (x: number, y: number, size: number) =>
  `<rect x="${x - size / 9}" y="${y - size / 2}" width="${size / 4.5}" height="${size}" fill="#5b4636"/>
  <circle cx="${x}" cy="${y - size}" r="${size * 0.62}" fill="#3d6b40"/><circle cx="${x + size / 3}" cy="${y - size * 0.75}" r="${size * 0.45}" fill="#477a49"/>`

const housed = ({ wall, roof, door, shift }: House) => {
  const window = (x: number) =>
    `<rect x="${x}" y="330" width="86" height="72" fill="#54707f" stroke="#fff" stroke-width="7"/>`
  return `${tree(190 + shift / 2, 420, 130)}${tree(1010 + shift / 2, 430, 110)}
    <g transform="translate(${shift} 0)"><rect x="370" y="290" width="460" height="190" fill="${wall}"/>
    <polygon points="330,296 450,170 750,170 870,296" fill="${roof}"/>${window(420)}${window(700)}
    <rect x="562" y="346" width="76" height="134" fill="${door}"/><circle cx="624" cy="416" r="5" fill="#e8c76a"/>
    <polygon points="556,480 644,480 716,900 484,900" fill="#cfc8bb"/></g>`
}

/** Stripes that run away from whoever looks, or grass that stands in tufts. */
const lawn = (mowed: boolean): string => {
  const ground = `<rect y="478" width="1200" height="422" fill="${mowed ? '#3b8f48' : '#7c9444'}"/>`
  if (mowed)
    return `${ground}${Array.from({ length: 12 }, (_, i) => {
      const [top, bottom] = [i * 100, (i - 6) * 220 + 600]
      return i % 2
        ? `<polygon points="${top},478 ${top + 100},478 ${bottom + 220},900 ${bottom},900" fill="#2f7a3b"/>`
        : ''
    }).join('')}`
  const tufts = Array.from({ length: 420 }, (_, i) => {
    const y = 490 + ((i * 97) % 410)
    const x = (i * 173) % 1200
    const size = 8 + (y - 478) / 14
    return `<path d="M${x} ${y}l${-size / 3} ${-size}M${x} ${y}l${size / 6} ${-size * 1.2}M${x} ${y}l${size / 2} ${-size * 0.8}" stroke="${i % 3 ? '#647c31' : '#93a957'}" stroke-width="${1.5 + size / 14}"/>`
  })
  return `${ground}${tufts.join('')}`
}

const yard = (house: House, mowed: boolean) => scene(lawn(mowed) + housed(house))

export const lockedGate = () => {
  const boards = Array.from(
    { length: 13 },
    (_, i) => `<rect x="${i * 96}" y="250" width="84" height="500" fill="${i % 2 ? '#8d6a48' : '#977351'}"/>`,
  )
  return scene(`<rect y="700" width="1200" height="200" fill="#6f8f3a"/>${boards.join('')}
    <rect y="330" width="1200" height="40" fill="#7a5a3c"/><rect y="620" width="1200" height="40" fill="#7a5a3c"/>
    <rect x="566" y="440" width="20" height="130" fill="#3a3a3a"/><path d="M556 520v-34a44 44 0 0 1 88 0v34" fill="none" stroke="#b9bcc0" stroke-width="18"/>
    <rect x="536" y="516" width="128" height="104" rx="14" fill="#d1a531"/><circle cx="600" cy="558" r="14" fill="#3a3a3a"/><rect x="594" y="560" width="12" height="34" fill="#3a3a3a"/>`)
}

/** A lawn with a spot that the sun burned. */
export const brownPatch = () =>
  scene(`<rect width="1200" height="900" fill="#4f8f3f"/>${Array.from({ length: 260 }, (_, i) => {
    const [x, y] = [(i * 173) % 1200, (i * 97) % 900]
    return `<path d="M${x} ${y}l-6 -26M${x} ${y}l5 -30M${x} ${y}l13 -20" stroke="${i % 3 ? '#3f7a33' : '#67a552'}" stroke-width="4"/>`
  }).join('')}<ellipse cx="590" cy="470" rx="290" ry="190" fill="#b79a58" opacity="0.85"/>
    <ellipse cx="640" cy="500" rx="170" ry="110" fill="#9c7f45" opacity="0.9"/>
    <rect x="930" y="40" width="44" height="330" fill="#6d5236"/><rect x="880" y="30" width="150" height="96" rx="40" fill="#39424a"/>`)

/** A mower blade with nicks on both ends. */
export const wornBlade = () =>
  scene(`<rect width="1200" height="900" fill="#8b8f86"/><rect y="640" width="1200" height="260" fill="#7c8078"/>
    <g transform="rotate(-9 600 460)"><path d="M90 420h330l30 26h300l30-26h330v70l-26-14-12 18-20-10-16 20-22-14H450l-30 8H180l-24-16-18 20-20-22-14 12-14-24z" fill="#4a4d50"/>
    <path d="M90 420h250v16H90zM860 420h250v16H860z" fill="#c9ccd0"/><circle cx="600" cy="470" r="26" fill="#8b8f86"/><circle cx="600" cy="470" r="12" fill="#33363a"/></g>`)

type Photo = { kind: 'before' | 'after' | 'other'; image: StoredImage; takenAt: string | null }
type Shot = { id: string; createdBy: string | null; photos: readonly Photo[] }

const addTx = async (db: TenantDb, businessId: BusinessId, shots: readonly Shot[]): Promise<void> => {
  for (const { id, createdBy, photos } of shots)
    for (const { kind, image, takenAt } of photos)
      await db
        .insertInto('visitPhotos')
        .values({
          businessId,
          id: newId(),
          visitId: id,
          fileId: await addFileTx(db, systemActor(businessId), 'photo', image),
          kind,
          takenAt,
          createdBy,
          createdAt: clock.iso(),
        })
        .execute()
}

export type Worked = {
  id: string
  status: string
  startedAt: string | null
  finishedAt: string | null
  finishedBy: string | null
  skipReason: string | null
}

/** Before and after of what was finished, and the gate that was locked. */
export const photographVisits = async (businessId: BusinessId, visits: readonly Worked[]): Promise<void> => {
  const keep = async (bytes: Promise<Buffer>) => storeImage(systemActor(businessId), await bytes)
  const yards: { before: StoredImage; after: StoredImage }[] = []
  for (const house of houses)
    yards.push({ before: await keep(yard(house, false)), after: await keep(yard(house, true)) })
  const gate = await keep(lockedGate())
  const shots = visits.flatMap((visit, i): Shot[] => {
    const { before, after } = yards[i % yards.length]!
    const photos: Photo[] =
      visit.status === 'skipped'
        ? visit.skipReason === 'locked_gate'
          ? [{ kind: 'other', image: gate, takenAt: visit.finishedAt }]
          : []
        : [
            { kind: 'before', image: before, takenAt: visit.startedAt },
            ...(visit.finishedAt ? [{ kind: 'after' as const, image: after, takenAt: visit.finishedAt }] : []),
          ]
    return photos.length ? [{ id: visit.id, createdBy: visit.finishedBy, photos }] : []
  })
  await withTenant({ businessId }, (db) => addTx(db, businessId, shots))
}
