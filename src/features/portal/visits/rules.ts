/** What is said to customers when a visit cannot be skipped, or a skip not taken back. */
const en = {
  movedMeanwhile: (day: string) =>
    `This visit was moved to ${day} meanwhile. Nothing was skipped; look at it again and decide.`,
  late: (hours: number) =>
    `It is too late to skip this visit here: that is possible until ${hours} hours before it. Nothing was changed. Send us a message and we will see what we can do.`,
  off: 'Visits cannot be skipped here. Nothing was changed. Send us a message and we will see what we can do.',
  over: 'This visit cannot be skipped any more: the crew has begun, or it is over. Nothing was changed.',
  noUndo:
    'This cannot be taken back here any more. Nothing was changed. Send us a message and we will see what we can do.',
}
const es: typeof en = {
  movedMeanwhile: (day) =>
    `Mientras tanto esta visita se cambió al ${day}. No se saltó nada; mírela otra vez y decida.`,
  late: (hours) =>
    `Ya es tarde para saltar esta visita aquí: se puede hasta ${hours} horas antes. No se cambió nada. Mándenos un mensaje y veremos qué podemos hacer.`,
  off: 'Aquí no se pueden saltar visitas. No se cambió nada. Mándenos un mensaje y veremos qué podemos hacer.',
  over: 'Esta visita ya no se puede saltar: el equipo empezó, o ya pasó. No se cambió nada.',
  noUndo: 'Esto ya no se puede deshacer aquí. No se cambió nada. Mándenos un mensaje y veremos qué podemos hacer.',
}
export const visitTexts = { en, es }
