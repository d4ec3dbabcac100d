import { z } from 'zod'

/** States, the District and the territories that mail goes to, by their postal code. Sales tax knows these and no other. */
export const usStates = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
} as const
export type StateCode = keyof typeof usStates

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
const known = new Map<string, StateCode>(
  Object.entries(usStates).flatMap(([code, name]) => [
    [plain(code), code as StateCode],
    [plain(name), code as StateCode],
  ]),
)

/** The code of a state from its code or its name, however it is written; null for anything else. */
export const stateCode = (text: string): StateCode | null => known.get(plain(text)) ?? null

/** A state of an address, by code or name; kept as its code, empty where nobody said. */
export const stateText = z
  .string()
  .trim()
  .transform((text, context): string => {
    const code = text === '' ? '' : stateCode(text)
    if (code !== null) return code
    context.addIssue({ code: 'custom', message: 'Choose one of the states, like GA or Georgia.' })
    return z.NEVER
  })

/** Like `stateText`, null where nobody said. */
export const stateOrNull = stateText.nullable().transform((code) => code || null)
