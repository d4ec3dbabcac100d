/** Invented people. Any likeness is chance; mail goes to reserved domains and phones are 555 numbers. */

export const staff = [
  {
    key: 'owner',
    name: 'Dana Whitfield',
    email: 'owner@demo.swath.test',
    role: 'Owner',
    preset: 'admin',
    wageCents: null,
    crew: null,
    language: 'en',
  },
  {
    key: 'admin',
    name: 'Priya Raman',
    email: 'admin@demo.swath.test',
    role: 'Admin',
    preset: 'admin',
    wageCents: 2600,
    crew: null,
    language: 'en',
  },
  {
    key: 'crew',
    name: 'Luis Ortega',
    email: 'crew@demo.swath.test',
    role: 'Employee',
    preset: 'crewLead',
    wageCents: 2300,
    crew: 'North crew',
    language: 'en',
  },
  {
    key: 'ana',
    name: 'Ana Ruiz',
    email: null,
    role: 'Employee',
    preset: 'crew',
    wageCents: 1850,
    crew: 'North crew',
    language: 'es',
  },
  {
    key: 'marcus',
    name: 'Marcus Bell',
    email: null,
    role: 'Employee',
    preset: 'crewLead',
    wageCents: 2250,
    crew: 'Midtown',
    language: 'en',
  },
  {
    key: 'jo',
    name: 'Jo Lindqvist',
    email: null,
    role: 'Employee',
    preset: 'crew',
    wageCents: 1800,
    crew: 'Midtown',
    language: 'en',
  },
  {
    key: 'pete',
    name: 'Pete Halloran',
    email: null,
    role: 'Employee',
    preset: 'crewLead',
    wageCents: 2200,
    crew: 'Islands',
    language: 'en',
  },
  {
    key: 'sam',
    name: 'Sam Okafor',
    email: null,
    role: 'Employee',
    preset: 'crew',
    wageCents: 1800,
    crew: 'Islands',
    language: 'en',
  },
  {
    key: 'rita',
    name: 'Rita Nguyễn',
    email: null,
    role: 'Employee',
    preset: 'crewLead',
    wageCents: 2500,
    crew: 'Treatments',
    language: 'en',
  },
] as const

export const crews = [
  { name: 'North crew', color: '#14432f', kind: 'mow', skills: ['mow'] },
  { name: 'Midtown', color: '#2455b8', kind: 'mow', skills: ['mow'] },
  { name: 'Islands', color: '#9a3412', kind: 'mow', skills: ['mow'] },
  { name: 'Treatments', color: '#7a3e9d', kind: 'treat', skills: ['applicator'] },
] as const

const first =
  'Rebecca,Howard,Imani,Curtis,Noor,Walter,Denise,Tomas,Gwen,Alvin,Mireille,Russell,Odette,Frank,Keisha,Bernard,Lorna,Victor,Harriet,Desmond,Yolanda,Percy,Annette,Malik,Joyce,Edwin,Camille,Otis,Beatrice,Roland,Priscilla,Hugh,Tamika,Lionel,Vera,Clifton,Marjorie,Andre,Eunice,Theo'.split(
    ',',
  )
const last =
  'Odom,Castellane,Whitby,Farrow,Delacroix,Pruitt,Okonkwo,Hastings,Marchetti,Boone,Lindgren,Sutter,Abernathy,Quiles,Tolliver,Brandt,Ferris,Kowal,Ravenel,Sims,Thackeray,Nakamura,Vance,Wexler,Yates,Zielinski,Ambrose,Crane,Dorsey,Eldridge'.split(
    ',',
  )

/** The nth invented person; all differ within a few hundred. */
export const personName = (n: number): string =>
  `${first[(n * 7) % first.length]} ${last[(n * 11 + Math.floor(n / first.length) * 13) % last.length]}`

export const companies = [
  'Habersham Court HOA',
  'Second Harvest Chapel',
  'Tidewater Dental',
  'Live Oak Montessori',
  'Marshside Storage',
  'Vernon Square Condominiums',
  'Truman Plaza',
  'Isle of Palms Veterinary',
] as const

/** Where the owner is signed in besides: browser and how many hours ago it was used. */
export const devices = [
  {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    usedHoursAgo: 3,
  },
  {
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    usedHoursAgo: 52,
  },
] as const
