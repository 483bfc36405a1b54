#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswscale/swscale.h>
static inline int kav_again(void) { return AVERROR(EAGAIN); }
static inline int kav_eof(void) { return AVERROR_EOF; }
static inline int64_t kav_nopts(void) { return AV_NOPTS_VALUE; }
