import type { CrewStop } from '../contract.ts'

/** The sign of a treatment is asked for by the record and often by a checklist, too: what is said once fills the other. */

const kind =
  '(?:(?:lawn|yard|warning|pesticide|treatment|notice|application|safety|posting|chemical|keep[- ]off|re-?entry) )*'
const thing = `${kind}(?:sign|flag|placard)s?`
const spot = '(?: (?:on|in|at|by) the (?:lawn|yard|front|street|curb|driveway|door))?'
const cosa =
  '(?:letrero|bandera|banderita|cartel|aviso)s?(?: de (?:aviso|advertencia|tratamiento|aplicación|pesticidas?))?'

/** The whole text, so that flags of sprinklers and whatever else is asked in the same line are not meant. */
const signs = [
  new RegExp(`^(?:the )?${thing}(?: is| are)? (?:posted|placed|planted|up|set|set out|put up|put out)${spot}$`),
  new RegExp(`^(?:post|place|plant|set|set out|put|put up|put out) (?:the |a )?${thing}(?: up| out)?${spot}$`),
  new RegExp(`^(?:el |la |los |las )?${cosa} (?:puest|colocad)[oa]s?$`),
  new RegExp(`^(?:poner|colocar) (?:el |la |los |las |un |una )?${cosa}$`),
]

/** Whether an item of a checklist asks for nothing but the sign of a treatment. */
export const asksForSign = (text: string): boolean => {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!?]$/, '')
  return signs.some((one) => one.test(plain))
}

/** Whether the crew has ticked already that the sign stands. */
export const isSignTicked = ({ checked = [] }: Partial<Pick<CrewStop, 'checked'>>): boolean => checked.some(asksForSign)

/** What a record that was saved changes on the checklist, for it is what counts. A photo that an item asks for is still to be taken. */
export const signTicks = (
  { checklist, checked }: Pick<CrewStop, 'checklist' | 'checked'>,
  signPosted: boolean,
): { item: string; done: boolean }[] =>
  checklist
    .filter(({ text, photo }) => asksForSign(text) && checked.includes(text) !== signPosted && !(photo && signPosted))
    .map(({ text }) => ({ item: text, done: signPosted }))
