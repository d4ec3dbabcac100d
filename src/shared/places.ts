/** Where something is, how we know, and how an address is written. */

/**
 * How well a place is known. `manual`: a person set the pin; `exact`: coordinates came with the address, as in an import; `rooftop` and `street`: found by a
 * look-up; `zip` and `county`: only the middle of the ZIP code or of the area around it.
 */
export const placeQualities = ['manual', 'exact', 'rooftop', 'street', 'zip', 'county', 'none'] as const
export type PlaceQuality = (typeof placeQualities)[number]

/** Good for a day's plan by and large, not for finding the house. */
export const isApproximate = (quality: PlaceQuality): boolean => quality === 'zip' || quality === 'county'

/** Nothing but a person moves it. */
export const isFixed = (quality: PlaceQuality): boolean => quality === 'manual' || quality === 'exact'

export type Address = { street: string; city: string; state: string; zip: string }

/** In the order of their FIPS codes, which maps and the Census use. */
const states =
  '01 AL Alabama,02 AK Alaska,04 AZ Arizona,05 AR Arkansas,06 CA California,08 CO Colorado,09 CT Connecticut,10 DE Delaware,11 DC District of Columbia,12 FL Florida,13 GA Georgia,15 HI Hawaii,16 ID Idaho,17 IL Illinois,18 IN Indiana,19 IA Iowa,20 KS Kansas,21 KY Kentucky,22 LA Louisiana,23 ME Maine,24 MD Maryland,25 MA Massachusetts,26 MI Michigan,27 MN Minnesota,28 MS Mississippi,29 MO Missouri,30 MT Montana,31 NE Nebraska,32 NV Nevada,33 NH New Hampshire,34 NJ New Jersey,35 NM New Mexico,36 NY New York,37 NC North Carolina,38 ND North Dakota,39 OH Ohio,40 OK Oklahoma,41 OR Oregon,42 PA Pennsylvania,44 RI Rhode Island,45 SC South Carolina,46 SD South Dakota,47 TN Tennessee,48 TX Texas,49 UT Utah,50 VT Vermont,51 VA Virginia,53 WA Washington,54 WV West Virginia,55 WI Wisconsin,56 WY Wyoming,72 PR Puerto Rico'
    .split(',')
    .map((line) => ({ fips: line.slice(0, 2), code: line.slice(3, 5), name: line.slice(6) }))

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
const byName = new Map(
  states.flatMap(({ code, name }) => [
    [letters(code), code],
    [letters(name), code],
  ]),
)
const byFips = new Map(states.map(({ fips, code }) => [fips, code]))

/** The two letters of a state as people write it ("Georgia", "ga.", "GA"), or null. */
export const stateCodeOf = (text: string): string | null => byName.get(letters(text)) ?? null

/** The two letters of a state by its FIPS code, or null. */
export const stateOfFips = (fips: string): string | null => byFips.get(fips) ?? null

/** The five digits of a ZIP code ("31419-1234", "1234" from a spreadsheet that dropped the zero), or null. */
export const zip5 = (text: string): string | null => {
  const digits = /^\s*(\d{4,5})(?:-?\d{4})?\s*$/.exec(text)?.[1]
  return digits ? digits.padStart(5, '0') : null
}

/** Whether a ZIP code that a person types is one, or is left empty: five digits or ZIP+4. What an import brings is kept as it is. */
export const isZip = (text: string | null): boolean => !text || /^\d{5}(?:-\d{4})?$/.test(text)
export const zipWords = 'A ZIP code has five digits, like 37402 or 37402-1234.'

/** An address in one line. */
export const addressLine = ({ street, city, state, zip }: Address): string =>
  [street, city, [state, zip].filter(Boolean).join(' ')]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ')

/** An address typed in one line ("12 Yard Rd, Savannah, GA 31419"); without a town it is where the business is. */
export const readAddress = (text: string, home: Omit<Address, 'street'>): Address => {
  const zip = /[,\s](\d{5}(?:-\d{4})?)\s*$/.exec(text)?.[1] ?? ''
  const rest = text.slice(0, text.length - (zip ? text.length - text.lastIndexOf(zip) : 0)).replace(/[,\s]+$/, '')
  // After a comma only: "5 Oak Ct" is not in Connecticut.
  const named = /,(?:[^,]*[\s,])?([A-Za-z]{2}\.?|[A-Za-z ]{4,})$/.exec(rest)?.[1] ?? ''
  const state = stateCodeOf(named) ?? ''
  const [street = '', ...towns] = (state ? rest.slice(0, -named.length) : rest).split(',').map((part) => part.trim())
  const city = towns.filter(Boolean).join(', ')
  return city || zip
    ? { street, city, state: state || home.state, zip }
    : { street, city: home.city, state: state || home.state, zip: home.zip }
}
