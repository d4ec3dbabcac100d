/** What the office tells a crew, in both languages. */
const en = {
  title: 'From the office',
  seen: 'I have seen it',
  onCrew: (crew: string, when: string) => `You are on ${crew} ${when}.`,
  onNone: (when: string) => `You are on no crew ${when}.`,
  back: 'The office took a change of your crew back. Your days are as they were before.',
  on: (day: string) => `on ${day}`,
  from: (day: string) => `from ${day}`,
  fromTo: (from: string, to: string) => `from ${from} to ${to}`,
  movedDay: (street: string, day: string) => `The office moved ${street} to ${day}. Leave it out today.`,
  movedCrew: (street: string) => `The office gave ${street} to another crew. Leave it out.`,
  movedOff: (street: string) => `The office took ${street} off the calendar. Leave it out.`,
  route: (day: string, stops: number, first: string) =>
    `${day}: ${stops === 1 ? '1 stop' : `${stops} stops`}${first ? `, the first at ${first}` : ''}.`,
  again: (day: string) => `The office changed ${day}. Look at it before you drive on.`,
}

export type NoticeTexts = typeof en

const es: NoticeTexts = {
  title: 'De la oficina',
  seen: 'Ya lo vi',
  onCrew: (crew, when) => `Estás en ${crew} ${when}.`,
  onNone: (when) => `No estás en ningún equipo ${when}.`,
  back: 'La oficina deshizo un cambio de tu equipo. Tus días son como antes.',
  on: (day) => `el ${day}`,
  from: (day) => `desde el ${day}`,
  fromTo: (from, to) => `del ${from} al ${to}`,
  movedDay: (street, day) => `La oficina pasó ${street} al ${day}. Hoy no vayas.`,
  movedCrew: (street) => `La oficina dio ${street} a otro equipo. No vayas.`,
  movedOff: (street) => `La oficina quitó ${street} del calendario. No vayas.`,
  route: (day, stops, first) =>
    `${day}: ${stops === 1 ? '1 parada' : `${stops} paradas`}${first ? `, la primera a las ${first}` : ''}.`,
  again: (day) => `La oficina cambió el ${day}. Míralo antes de seguir.`,
}

export const noticeTexts = { en, es }
