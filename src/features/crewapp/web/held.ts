import type { ConflictAnswer } from '../conflicts/contract.ts'
import { isVisitPhoto } from '../projection/rules.ts'
import type { OutboxState } from './outboxState.ts'

/** So many are asked about in one call. */
const atOnce = 200

/** What this phone still holds and the office may have decided about: what was not taken, and photos that belong to such a thing. */
const heldIds = ({ commands, photos }: Pick<OutboxState, 'commands' | 'photos'>): string[] => [
  ...new Set([
    ...commands.flatMap(({ state, command }) => (state === 'attention' ? [command.id] : [])),
    ...photos.flatMap(({ decided, commandId, kind, visitId }) =>
      decided ? [] : commandId ? [commandId] : isVisitPhoto(kind) ? [] : [visitId],
    ),
  ]),
]

/**
 * The answers to what the phone still holds. The day brings only the newest ones: a phone that slept while the office decided about much, or longer than
 * they are brought, asks about the rest. What could not be asked is asked with the next day.
 */
export const answersToHeld = async (
  state: Pick<OutboxState, 'commands' | 'photos'>,
  ask: (commandIds: string[]) => Promise<ConflictAnswer[]>,
): Promise<ConflictAnswer[]> => {
  const ids = heldIds(state)
  const answers: ConflictAnswer[] = []
  try {
    for (let from = 0; from < ids.length; from += atOnce) answers.push(...(await ask(ids.slice(from, from + atOnce))))
  } catch {
    // no signal, or a server of before: what was heard counts
  }
  return answers
}
