/** Words that stand in the name of an organization and hardly ever in a person's, English and Spanish. */
const organizationWords = new Set(
  (
    'academy agency apartments assn associates association authority automotive baptist bank board builders cafe catholic center centre chapel chiropractic ' +
    'church city clinic club co college commission community company condominiums condos construction contractors corp corporation council county court courts courtyard daycare ' +
    'dental department development diner district enterprises estates farm farms fellowship foundation funeral group gym hoa holdings homeowners homes hospital hotel ' +
    'housing inc industries inn institute insurance library limited living llc llp lodge lp ltd lutheran management manor market medical methodist ministries ' +
    'ministry montessori mosque motel museum nursing office offices organization owners parish partners partnership pharmacy place plaza poa preschool presbyterian ' +
    'properties property realtors realty rentals residences restaurant ridge salon school schools senior seniors services shop society store studio studios suites supply synagogue ' +
    'systems team temple township trust university veterinary village warehouse ymca ywca ' +
    'asociación clínica compañía condominios escuela fundación grupo iglesia inmobiliaria restaurante sociedad tienda universidad'
  ).split(' '),
)

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'rev', 'pastor', 'sr', 'sra', 'srta'])

const bare = (word: string) => word.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/**
 * How a mail greets somebody: "Ann" for Ann Lee and for "Lee, Ann", "Bob & Ann" for a couple, "Mr. Jones" for a title,
 * and the whole name for a church, a company or an association, which has no first name.
 */
export const firstNameOf = (name: string): string => {
  const whole = name.trim().replace(/\s+/g, ' ')
  const words = whole.split(' ')
  if (words.length < 2) return whole
  const first = words[0] as string
  if (titles.has(bare(first))) return whole
  if (/^the$/i.test(first) || /^\d/.test(whole) || words.some((word) => organizationWords.has(bare(word)))) return whole
  const turned = /^[^,]+, ([^,]+)$/.exec(whole)
  if (turned) return firstNameOf(turned[1] as string)
  if (/^(&|and|y|e)$/.test(words[1] as string)) return words.length > 3 ? words.slice(0, 3).join(' ') : whole
  return words.slice(2).some((word) => /^(&|and|y)$/.test(word)) ? whole : first
}

const spaced = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** How a customer is greeted in whatever leaves to them: as `firstNameOf` says, and whole where the office keeps the name as their company's. */
export const greetingOf = ({ name, company }: { name: string; company: string | null }): string =>
  company && spaced(company) === spaced(name) ? name.trim() : firstNameOf(name)

/** Whether what a person typed as a name can be one, or is left empty: a PIN or a phone number in the wrong field has no letter. */
export const isPersonName = (text: string): boolean => text === '' || /\p{L}/u.test(text)
export const nameWords = 'A name has letters.'
