import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Wish, wantsOut } from './rules.ts'

const sure = `STOP
Stop.
stop!!!
Please stop
stop please
ok stop now
STOP STOP STOP
I said STOP
stop it
Stop all
stop texting me
stop sending me these stupid messages
Quit texting me!
please don’t text me again
Do not contact me anymore
don't message this number
no more texts
No more messages please
never text me
unsubscribe
Please unsubscribe me
UNSUB
opt out
I want to opt out
opt me out of these
OPT-OUT
remove me
remove me from your list
take me off this list
Take me off your texting list please
remove my number
lose my number
leave me alone
I do not want any more texts
i dont want to receive these messages
I no longer wish to receive texts
cancel
end
quit
revoke
Stop texting me because I sold my house
ALTO
Basta
¡Ya basta!
parar
Paren por favor
no más mensajes
No me escriban más
no me manden mensajes
Por favor no me envíen más textos
No nos molesten
dejen de escribirme
Deje de mandarme mensajes
ya no quiero mensajes
No quiero recibir más mensajes
no quiero que me escriban
Denme de baja
quiero darme de baja
Quítenme de la lista
bórrenme
Déjenme en paz
cancelar mensajes
I don't text, I'm 80, please call me. Do not text this number
stop the texts
Stop all messages
stop these texts please
Do not call or text me
don't call or text
no texts please
No text messages please
stop with the messages
stop calling and texting me
never contact me again
Please opt me out of these messages
no quiero recibir sus textos`.split('\n')

const unsure = `Don't text me after 9 PM
please stop texting me about the invoice
No more texts on Sundays
don't text my wife
stop sending photos
stop sending reminders
Too many texts
so many messages!!
I am sick of these messages
not interested
No longer interested, thanks
wrong number
Enough
why do you keep texting me
who gave you my number
This is spam
demasiados mensajes
no me interesa
número equivocado
no me escriban de noche
dar de baja el servicio
do not text this number, use my new one
I want to opt out of the aeration
no me escriban al correo
don't send me a text, call me
unsubscribe me from the emails`.split('\n')

const neither = `Can you stop by on Friday?
Please stop at the gate
stop by tomorrow
Stop in front of the garage
please stop mowing at the fence
Cancel Friday's visit
can we cancel my service this week
cancel the mow tomorrow
It is at the end of the driveway
The weekend works
take me off Friday, I have guests
Did you quit doing mulch?
I quit my job so I'm home now
Yes
YES please
ok
thanks
No
no thank you, just the lawn
Do you do leaf removal?
Please remove the branches
remove the leaves too
Can you text me when you are close?
text me
don't forget the gate
Don't mow the back
do not spray near the pond
Never mind
I want to receive texts
The dog is in the back, leave the gate closed
help
START
Let me know how much
enough mulch for both beds?
I have enough of it
bus stop side please
Stop-and-go traffic, running late
no quiero la yarda de atrás
no me corten los rosales
paren en la puerta de atrás
Gracias, todo bien
¿Cuánto es?
mañana está bien
Is the service included?
please put it on the list
add me to the list
How many messages did you send?
I got your message
I'll send you a message tomorrow
Finish the front first
para el viernes está bien
please don't send the crew today, it is raining
don't send anyone this week
please don't send Mike
do not send a bill, I pay cash
don't bother with the back yard
don't bother trimming the hedge
you never send me the invoice
you never text me back
You never text me
they don't contact us anymore
I don't text
don't forget to text me
I never got your message
I don't see your message
don't hesitate to message me
no me mandaron la factura
no me enviaron el recibo
no me contactaron
no me molesta el ruido
quiteme las hojas
no me manden a Luis
dejen de mandar a Luis tan temprano
dejen la puerta cerrada
take me off the schedule
remove me from Friday
can you stop the sprinkler
stop the service
end the contract
no message from the crew yet
I have no messages from you
No, cancel please`.split('\n')

describe('wantsOut', () => {
  const all: [string, Wish][] = [
    ...sure.map((text): [string, Wish] => [text, 'sure']),
    ...unsure.map((text): [string, Wish] => [text, 'unsure']),
    ...neither.map((text): [string, Wish] => [text, null]),
  ]
  it.each(all)('%s: %s', (text, wish) => expect(wantsOut(text)).toBe(wish))

  test('letters, accents, marks and spaces around make no difference', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.constantFrom('', ' ', '  ', '!', '...', ' 🙂', '\n'),
        fc.boolean(),
        ([text, wish], around, isLoud) => {
          const said = `${around}${isLoud ? text.toUpperCase() : text}${around}`
          expect(wantsOut(said)).toBe(wish)
          expect(wantsOut(said.normalize('NFD'))).toBe(wish)
        },
      ),
    )
  })

  test('a long text is read at once', () => {
    expect(wantsOut(`${'no me '.repeat(3_000)}mow`)).toBeNull()
    expect(wantsOut(`${'stop '.repeat(3_000)}`)).toBe('sure')
  })
})
