import { type Task, task } from '../../../../platform/tasks/task.ts'
import { fetchPhotos, fetchPhotosTask, losePhotos } from './commands.ts'

/** Fetches what came with a text. */
export const fetchTextPhotos: Task<typeof fetchPhotosTask.payload> = task({
  ...fetchPhotosTask,
  run: (actor, { messageId, media }) => fetchPhotos(actor.businessId, messageId, media),
  gaveUp: (actor, { messageId, media }) => losePhotos(actor.businessId, messageId, media),
})
