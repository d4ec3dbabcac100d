let leaving = false

/** Says to whoever asks `/ready` that this process ends soon; it goes on answering until a balancer has seen it. */
export const beginLeaving = (): void => {
  leaving = true
}

/** Whether this process was told to end: who keeps a connection open should take another process for the next request. */
export const isLeaving = (): boolean => leaving
