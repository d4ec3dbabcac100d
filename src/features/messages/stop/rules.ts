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
  /^(?:(?:hi|hey|hello|hola|ok|okay|please|pls|plz|i said|por favor|favor) )+|(?: (?:please|pls|plz|thanks|thank you|thx|now|already|por favor|gracias|ya))+$/g

const words = new Set(
  `stop|stopall|stop all|stop it|stop this|stop these|stop them|stop texts|stop messages|stop texting|stop messaging|end|quit|cancel|revoke|remove|unsub
unsubscribe|unsubscribed|optout|opt out|opt-out|no more|cease|alto|basta|ya basta|basta ya|para|parar|pare|paren|parenle|detener|detengan|cancelar|baja|no mas|fin
desuscribir|salir`
    .split(/[|\n]/)
    .map((one) => one.trim()),
)

const texts = '(?:text messages?|texts?|txts?|sms|messages?|msgs?|mensajes? de texto|mensajes?|textos?|mensajitos?)'
const verbs = '(?:texts?|texting|txt|txting|messag(?:e|es|ing)|msg|msging|sms|contact|contacting)'
/** "You never text me" complains of the opposite. */
const notThey = '(?<!\\b(?:you|they|u|i|we|he|she|guys|crew|it|ya|usted|ustedes|ellos) )'
const no = `(?:\\b(?:stop|quit|cease)|${notThey}\\b(?:don't|dont|do not|never))`
const quantities = '(?:(?:the|all|these|those|this|your|any|more|further|such|my|of|stupid|damn|annoying|with) )*'
/** What may follow without taking anything back: "again", "to this number", "because I moved". */
const end =
  '(?: (?:me|us|this number|my (?:phone|number|cell)|again|anymore|any more|any longer|more|ever|please|pls|thanks|thank you|now|at all|already|for good|forever|immediately|(?:to|on) (?:me|us|this number|my phone)|from you|guys|ok|okay|all|mas|otra vez|nunca|por favor|gracias|ya|nada|a este numero))*(?: (?:because|since|cause|cuz|porque) .*)?$'
const calls = '(?:call(?:ing)? (?:me )?(?:or|and) )?'

/** Said so, a wish to be left alone is plain. */
const plain: readonly RegExp[] = [
  new RegExp(`${no} (?:ever |please )?${calls}${verbs}(?: (?:or|and) call(?:ing)?)?${end}`),
  new RegExp(`\\b(?:stop|quit|cease) sending (?:[\\p{L}']+ ){0,5}${texts}${end}`, 'u'),
  new RegExp(`${no} send(?:ing)? (?:me |us )?${quantities}${texts}${end}`),
  new RegExp(`\\b(?:stop|end|quit|cancel|cease|no more) (?:with )?${quantities}${texts}${end}`),
  new RegExp(`^(?:please |pls )?no ${quantities}${texts}${end}`),
  new RegExp(
    `\\b(?:don't|dont|do not|no longer|never) (?:want|wish|need|like) (?:to (?:get|receive|have) )?${quantities}${texts}${end}`,
  ),
  new RegExp(
    `(?:^|\\b(?:to|please|let me|me) )opt(?: me)?[ -]?out(?: (?:of|from) ${quantities}(?:${texts}|lists?|this|these))?${end}`,
  ),
  /\bunsubscribe\b/,
  /\b(?:leave me alone|(?:lose|forget) my number|(?:remove|delete|erase) (?:my|this) (?:phone )?number|take (?:my|this) number off)\b/,
  new RegExp(`\\b(?:take|remove) me(?: (?:off|from|out)(?: of)?)?${end}`),
  new RegExp(`\\b(?:take|remove) me (?:off|from) (?:[a-z]+ ){0,4}lists?${end}`),
  new RegExp(
    `\\bno (?:me|nos) (?:vuelvan? a )?(?:escrib(?:an?|ir)|contact(?:en?|ar)|molest(?:en?|ar)|texte(?:en?|ar))(?: ${texts})?${end}`,
  ),
  new RegExp(
    `\\bno (?:me|nos) (?:vuelvan? a )?(?:mand(?:en?|ar)|envi(?:en?|ar)) (?:mas$|(?:(?:mas|sus|estos|esos|los) )*${texts}${end})`,
  ),
  new RegExp(`\\b(?:deje|dejen|deja|paren?) (?:ya )?de (?:escribir|contactar|molestar|textear)(?:me|nos)?${end}`),
  new RegExp(
    `\\b(?:deje|dejen|deja|paren?) (?:ya )?de (?:mandar|enviar)(?:me|nos)? (?:(?:mas|sus|estos|esos|los) )*${texts}${end}`,
  ),
  /\b(?:dejenme|dejeme|dejame) en paz\b/,
  new RegExp(`\\bno quiero (?:(?:recibir|que me manden|que me envien|mas|sus|estos|esos|los) )*${texts}${end}`),
  new RegExp(`\\bno quiero que me (?:escriban?|contacten?|molesten?|texteen?)${end}`),
  new RegExp(`\\b(?:no mas|cancelar|cancelen|detengan|paren|basta de) (?:(?:los|sus|estos|con) )*${texts}${end}`),
  new RegExp(`\\b(?:dar(?:me)?|denme|deme) de baja(?: de (?:(?:la|su|los|estos|sus) )?(?:lista|${texts}))?${end}`),
  new RegExp(`\\b(?:quit|borr|saqu|elimin|remuev)en?me(?: de (?:la|su|esta) lista)?${end}`),
]

/** Even in a plain wish this takes something back: a person decides. */
const limits = /\b(?:e-?mails?|correos?|service|servicio|after|before|until|about|sobre|despues|antes|hasta)\b/

/** May be a wish: something stands around it that a person has to read. */
const doubts: readonly RegExp[] = [
  new RegExp(`${no} (?:ever |please )?${calls}${verbs}\\b`),
  new RegExp(`${no} send(?:ing)? (?:[\\p{L}']+ ){0,4}${texts}\\b`, 'u'),
  new RegExp(`\\bno more ${quantities}${texts}\\b`),
  /\b(?:stop|quit|cease) sending (?:me )?(?:(?:any|more|these|those|your|the|all) )*(?:photos?|pictures?|pics|reminders?|updates?|notifications?|alerts?|links?|stuff|this|these)\b/,
  /\bopt(?:ing)?[ -]?(?:me )?out\b/,
  new RegExp(
    `\\b(?:too many|so many|enough|sick of|tired of) (?:(?:of|these|those|your|the|all|getting|with) )*${texts}`,
  ),
  /\b(?:not|no longer) interested\b|\bwrong (?:number|person)\b|^enough$|^enough already$|\benough is enough\b/,
  /\bwhy (?:do|are|did) you (?:keep |still )?(?:texting|text|messaging|sending)\b|\bwho gave you (?:my|this) number\b/,
  /^(?:this is )?spam\b|\bharass\p{L}*|\breport (?:you|this) (?:as spam|number)\b/u,
  /\bdemasiados (?:mensajes|textos)\b|\bno me interesa\b|\bnumero equivocado\b|\bno me llame[ns]?\b|\bde baja\b/,
  /\bno (?:me|nos) (?:escriban?|contacten?|texteen?)\b/,
]

/** Whether a text asks for no more texts, in English or Spanish, in words of its own. */
export const wantsOut = (text: string): Wish => {
  const said = spoken(text)
  let bare = said
  for (let last = ''; last !== bare; ) {
    last = bare
    bare = bare.replace(courtesies, '').trim()
  }
  if (words.has(bare) || (bare !== '' && bare.split(' ').every((word) => word === 'stop'))) return 'sure'
  if (plain.some((one) => one.test(said))) return limits.test(said) ? 'unsure' : 'sure'
  if (doubts.some((one) => one.test(said))) return 'unsure'
  return null
}
