import { type Block, type Content, noWords, type Words } from '../content/rules.ts'
import type { CampaignChannel } from '../rules.ts'
import type { Condition } from '../segments/rules.ts'

/** Campaigns to begin with: whole and true as they stand for any business, without a price or a promise that nobody made. */

export type Starter = {
  key: string
  name: string
  about: string
  channel: CampaignChannel
  conditions: Condition[]
  content: Content
}

const text = (words: string): Block => ({ kind: 'text', text: words })
const heading = (words: string): Block => ({ kind: 'heading', text: words })
const ask = (label: string): Block => ({ kind: 'button', label, to: 'page', url: '' })

const mail = (words: Pick<Words, 'subject' | 'subjectB' | 'preheader' | 'blocks'>): Words => ({ ...noWords, ...words })
const active: Condition = { kind: 'stage', stages: ['active'] }

const aeration: Starter = {
  key: 'aeration',
  name: 'Fall aeration & overseeding',
  about: 'To customers you work for, by e-mail',
  channel: 'email',
  conditions: [active],
  content: {
    en: mail({
      subject: 'Early fall is the best time to thicken your lawn',
      subjectB: 'Aeration and overseeding: is your lawn on the list?',
      preheader: 'Aeration loosens the soil, and fresh seed fills the thin spots before winter.',
      blocks: [
        heading('Time to aerate and overseed'),
        text(
          'Hi {customer first name},\n\nA summer of sun and traffic packs the soil. Aeration pulls small plugs out of it, so that air, water and seed get down to the roots. Overseeding right after it fills thin and bare spots while the soil is still warm.',
        ),
        text(
          'We plan these visits street by street, and days fill up early. Tell us if you want yours, and we send you a price for your lawn first.',
        ),
        ask('Ask for a price'),
        text('Or simply answer this e-mail.\n\n{business name}'),
      ],
    }),
    es: mail({
      subject: 'El comienzo del otoño es la mejor época para su césped',
      subjectB: 'Aireación y resiembra: ¿lo anotamos?',
      preheader: 'La aireación afloja la tierra y la semilla nueva llena los espacios antes del invierno.',
      blocks: [
        heading('Es tiempo de airear y resembrar'),
        text(
          'Hola {customer first name}:\n\nUn verano de sol y pisadas compacta la tierra. La aireación saca pequeños tapones para que el aire, el agua y la semilla lleguen a las raíces. La resiembra, justo después, llena los espacios ralos mientras la tierra sigue tibia.',
        ),
        text(
          'Planeamos estas visitas calle por calle y los días se llenan pronto. Avísenos si quiere la suya y primero le enviamos un precio para su césped.',
        ),
        ask('Pedir un precio'),
        text('O responda a este correo.\n\n{business name}'),
      ],
    }),
  },
}

const spring: Starter = {
  key: 'spring',
  name: 'Spring clean-up',
  about: 'To customers you work for, by e-mail',
  channel: 'email',
  conditions: [active],
  content: {
    en: mail({
      subject: 'Get your yard ready for spring',
      subjectB: 'Spring clean-up: shall we put you on the list?',
      preheader: 'Leaves, sticks and winter-worn beds, cleared before the first mow.',
      blocks: [
        heading('Spring clean-up'),
        text(
          'Hi {customer first name},\n\nBefore the first mow of the year we clear what winter left: leaves, sticks and dead growth out of the beds and off the lawn, with a clean edge to start the season.',
        ),
        text(
          'Tell us if you want it this year. We send you a price for your yard first, and plan it before your first visit.',
        ),
        ask('Ask for a price'),
        text('Or simply answer this e-mail.\n\n{business name}'),
      ],
    }),
    es: mail({
      subject: 'Prepare su jardín para la primavera',
      subjectB: 'Limpieza de primavera: ¿lo anotamos?',
      preheader: 'Hojas, ramas y lo que dejó el invierno, antes del primer corte.',
      blocks: [
        heading('Limpieza de primavera'),
        text(
          'Hola {customer first name}:\n\nAntes del primer corte del año quitamos lo que dejó el invierno: hojas, ramas y plantas secas de las camas y del césped, con un borde limpio para empezar la temporada.',
        ),
        text(
          'Avísenos si la quiere este año. Primero le enviamos un precio para su jardín y la planeamos antes de su primera visita.',
        ),
        ask('Pedir un precio'),
        text('O responda a este correo.\n\n{business name}'),
      ],
    }),
  },
}

const winBack: Starter = {
  key: 'win-back',
  name: 'Win-back',
  about: 'To past customers whose last visit was long ago, by e-mail',
  channel: 'email',
  conditions: [
    { kind: 'stage', stages: ['past'] },
    { kind: 'lastVisit', within: false, days: 120 },
  ],
  content: {
    en: mail({
      subject: '{customer first name}, we would be glad to mow for you again',
      subjectB: 'Is your lawn looked after this season?',
      preheader: 'We still have what we know about your yard on file.',
      blocks: [
        text(
          'Hi {customer first name},\n\nit has been a while since we were at your place. If your lawn needs somebody again, or if something was not right the last time, we would like to hear from you.',
        ),
        text('We still know your yard, so a price is quick. You can start with one visit and see.'),
        ask('Ask for a price'),
        text('Or simply answer this e-mail.\n\n{business name}'),
      ],
    }),
    es: mail({
      subject: '{customer first name}, nos gustaría volver a cuidar su césped',
      subjectB: '¿Quién cuida su césped esta temporada?',
      preheader: 'Todavía tenemos los datos de su jardín.',
      blocks: [
        text(
          'Hola {customer first name}:\n\nhace tiempo que no vamos a su casa. Si su césped necesita a alguien otra vez, o si algo no estuvo bien la última vez, nos gustaría saberlo.',
        ),
        text('Todavía conocemos su jardín, así que el precio es rápido. Puede empezar con una sola visita y ver.'),
        ask('Pedir un precio'),
        text('O responda a este correo.\n\n{business name}'),
      ],
    }),
  },
}

const leaves: Starter = {
  key: 'leaves',
  name: 'Leaf removal',
  about: 'To customers you work for, by text',
  channel: 'sms',
  conditions: [active],
  content: {
    en: {
      ...noWords,
      text: 'Hi {customer first name}, leaves are coming down. Shall we clear yours this fall? Reply YES and we send you a price first. {business name}',
    },
    es: {
      ...noWords,
      text: 'Hola {customer first name}, ya caen las hojas. ¿Las recogemos este otoño? Responda SI y primero le enviamos un precio. {business name}',
    },
  },
}

const refer: Starter = {
  key: 'refer',
  name: 'Refer a neighbor',
  about: 'To customers you work for, by e-mail',
  channel: 'email',
  conditions: [active],
  content: {
    en: mail({
      subject: 'Know a neighbor who needs their lawn mowed?',
      subjectB: 'We are on your street anyway',
      preheader: 'The closer our stops are, the better we can look after all of them.',
      blocks: [
        text(
          'Hi {customer first name},\n\nwe are on your street anyway. If a neighbor asks who mows your lawn, please give them our name: the closer our stops are to each other, the less we drive and the more time is left for the lawns.',
        ),
        text('You can forward them this e-mail. The button leads to our page, where they can ask for a price.'),
        ask('Our page'),
        text('Thank you!\n\n{business name}'),
      ],
    }),
    es: mail({
      subject: '¿Conoce a un vecino que necesite quien le corte el césped?',
      subjectB: 'Ya estamos en su calle',
      preheader: 'Cuanto más cerca están nuestras visitas, mejor las atendemos todas.',
      blocks: [
        text(
          'Hola {customer first name}:\n\nya estamos en su calle. Si un vecino le pregunta quién le corta el césped, por favor déle nuestro nombre: cuanto más cerca están nuestras visitas, menos manejamos y más tiempo queda para los jardines.',
        ),
        text('Puede reenviarle este correo. El botón lleva a nuestra página, donde se puede pedir un precio.'),
        ask('Nuestra página'),
        text('¡Gracias!\n\n{business name}'),
      ],
    }),
  },
}

export const starters: readonly Starter[] = [aeration, spring, winBack, leaves, refer]
