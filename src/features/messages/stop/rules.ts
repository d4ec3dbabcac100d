/** Whether somebody asks for no more texts. `unsure`: a person decides, and until then no offers leave to them. */
export type Wish = 'sure' | 'unsure' | null

/** Words as people type them on a phone: small letters, no accents, no marks but the apostrophe. */
export const spoken = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/[^\p{L}\p{N}' -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const courtesies =
  /^(?:(?:hi|hey|hello|hola|ok|okay|no|please|pls|plz|just|and|i said|por favor|favor) )+|(?: (?:please|pls|plz|thanks|thank you|thx|now|already|por favor|gracias|ya))+$/g

const words = new Set(
  `stop|stopall|stop all|stop it|stop this|stop these|stop them|stop texts|stop messages|stop texting|stop messaging|end|quit|cancel|revoke|remove|unsub
unsubscribe|unsubscribed|optout|opt out|opt-out|no more|cease|alto|basta|ya basta|basta ya|para|parar|pare|paren|parenle|detener|detengan|cancelar|baja|no mas|fin
desuscribir|salir`
    .split(/[|\n]/)
    .map((one) => one.trim()),
)

const texts = '(?:texts?|txts?|sms|messages?|msgs?|mensajes?|textos?|mensajitos?)'

/** Each stands for a wish to be left alone; what limits it ("after 9 PM", "about the invoice") makes it a matter for a person. */
const wishes: readonly RegExp[] = [
  /\b(?:stop|quit|cease|no more|never|don't|dont|do not|without) (?:ever )?(?:again )?(?:send(?:ing)?|text(?:ing|s)?|txt(?:ing|s)?|messag(?:e|es|ing)|msg(?:s|ing)?|contact(?:ing)?|sms|bother(?:ing)?|spam(?:ming)?|harass(?:ing)?)\b/,
  /\bopt(?:ing)?[ -]?(?:me )?out\b/,
  /\bunsubscribe\b/,
  /\b(?:leave me alone|lose my number|delete my number|remove my number|take my number off|forget my number|remove this number)\b/,
  /\b(?:take|remove) me(?: off| from| out)?(?: of)?(?: (?:this|your|the|all))*(?: (?:text|texting|sms|message|mailing|contact|marketing))*(?: lists?)?$/,
  /\b(?:take|remove) me (?:off|from) .*\blists?\b/,
  new RegExp(
    `\\b(?:don't|dont|do not|no longer|never) (?:want|wish|need|like) (?:to (?:get|receive|have) )?(?:(?:any|these|those|your|more|anymore|further|all) )*${texts}`,
  ),
  /\bno (?:me|nos|le) (?:vuelvan? a )?(?:escrib|mand|envi|contact|molest|text)\p{L}*/u,
  /\b(?:deje|dejen|deja|paren?|dejense) (?:ya )?de (?:escrib|mand|envi|contact|molest|text)\p{L}*/u,
  /\bdejen?me en paz\b|\bdejame en paz\b/,
  new RegExp(
    `\\bno quiero (?:(?:recibir|que me|mas|sus|estos|esos|los|ya|manden|envien) )*(?:${texts}|escriban?|recibirlos)`,
  ),
  new RegExp(`\\b(?:no mas|cancelar|cancelen|detengan|paren) (?:(?:los|sus|estos) )?${texts}`),
  /\b(?:dar(?:me)?|den(?:me)?|deme) de baja\b/,
  /\b(?:quit|borr|saqu|elimin|remuev)[ea]n?me\b(?: de (?:la|su|esta) lista)?/,
]

const limits =
  /\b(?:after|before|until|till|during|when|while|between|early|late|night|morning|evening|tonight|tomorrow|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|e-?mails?|wife|husband|son|daughter|tenant|photos?|pictures?|pics|twice|both|if|unless|about|regarding|schedule|route|calendar|programs?|plans?|services?|gate|despues|antes|hasta|durante|cuando|noche|manana|correos?|fotos?|esposa|esposo|sobre|horario|ruta|servicios?|contrato|lunes|martes|miercoles|jueves|viernes|sabado|domingo)\b/

const doubts: readonly RegExp[] = [
  new RegExp(
    `\\b(?:too many|so many|enough|sick of|tired of) (?:(?:of|these|those|your|the|all|getting|with) )*${texts}`,
  ),
  /\b(?:not|no longer) interested\b|\bwrong (?:number|person)\b|^enough$|^enough already$|\benough is enough\b/,
  /\bwhy (?:do|are|did) you (?:keep |still )?(?:texting|text|messaging|sending)\b|\bwho gave you (?:my|this) number\b/,
  /\b(?:spam|harass\p{L}*|report (?:you|this))\b/u,
  /\bdemasiados (?:mensajes|textos)\b|\bno me interesa\b|\bnumero equivocado\b|\bno me llame[ns]?\b/,
]

/** What their work is about is never a word about texts: "stop by Friday", "cancel my service". */
const work =
  /\b(?:stop|quit|end|cancel) (?:by|at|in|over|off|on|for|mowing|cutting|edging|trimming|blowing|spraying|the (?:mow|cut|service|lawn|job|visit)|my |our |service|lawn|mow|this week|next week|tomorrow|today)/

/** Whether a text asks for no more texts, in English or Spanish, in words of its own. */
export const wantsOut = (text: string): Wish => {
  const said = spoken(text)
  let bare = said
  for (let last = ''; last !== bare; ) {
    last = bare
    bare = bare.replace(courtesies, '').trim()
  }
  if (words.has(bare) || (bare !== '' && bare.split(' ').every((word) => word === 'stop'))) return 'sure'
  const wish = wishes.find((one) => one.test(said))
  if (wish) return limits.test(said) ? 'unsure' : 'sure'
  if (doubts.some((one) => one.test(said)) && !work.test(said)) return 'unsure'
  return null
}
