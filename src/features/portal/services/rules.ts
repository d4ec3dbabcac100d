/** What is said to customers about pausing and asking for more. */
const en = {
  off: 'Service cannot be paused here. Nothing was changed. Send us a message and we will see what we can do.',
  near: (day: string) =>
    `Your visit on ${day} is too near to be called off here, so the pause can begin after it. Nothing was changed. If you need it sooner, send us a message.`,
  notRunning: 'This service is not running, so there is nothing to pause. Nothing was changed.',
  until: (first: string, last: string) => `Choose a day between ${first} and ${last}. Nothing was changed.`,
  notYours:
    'This pause was set by our office. Send us a message if you would like to go on sooner. Nothing was changed.',
  requestsOff: 'Nothing can be asked for here right now. Send us a message instead. Nothing was sent.',
  gone: 'This service is not offered here any more. Nothing was sent; choose another one or send us a message.',
  many: 'You have asked for a lot already. Nothing more was sent; let us answer first, or send us a message.',
}
const es: typeof en = {
  off: 'Aquí no se puede pausar el servicio. No se cambió nada. Mándenos un mensaje y veremos qué podemos hacer.',
  near: (day) =>
    `Su visita del ${day} está muy cerca para cancelarla aquí; la pausa puede empezar después. No se cambió nada. Si la necesita antes, mándenos un mensaje.`,
  notRunning: 'Este servicio no está activo, así que no hay nada que pausar. No se cambió nada.',
  until: (first, last) => `Elija un día entre el ${first} y el ${last}. No se cambió nada.`,
  notYours: 'Esta pausa la puso nuestra oficina. Mándenos un mensaje si quiere continuar antes. No se cambió nada.',
  requestsOff: 'Ahora no se puede pedir nada aquí. Mándenos un mensaje. No se envió nada.',
  gone: 'Este servicio ya no se ofrece aquí. No se envió nada; elija otro o mándenos un mensaje.',
  many: 'Ya pidió bastante. No se envió nada más; deje que le respondamos primero, o mándenos un mensaje.',
}
export const serviceTexts = { en, es }
